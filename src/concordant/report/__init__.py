"""Results → tables for the terminal, and the same numbers as tsv, json and HTML."""
