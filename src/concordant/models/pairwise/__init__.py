"""Which of two translations is better: a network that compares two (Guzmán et al. 2015)."""
