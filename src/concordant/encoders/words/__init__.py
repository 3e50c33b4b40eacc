"""Word vectors: files, tables, averages."""
