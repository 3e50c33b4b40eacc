"""The cache of encoded texts on disk."""
