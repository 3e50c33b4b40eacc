"""A network that reads translation and reference along their trees (Gupta et al. 2015)."""
