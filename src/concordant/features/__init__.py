"""Texts → a matrix with named columns: feature specs that print and parse, extraction, scaling."""
