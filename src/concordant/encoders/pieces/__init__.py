"""Vectors of word pieces."""
