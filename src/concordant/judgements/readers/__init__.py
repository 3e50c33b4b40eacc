"""Readers: one module per format, files → records."""
