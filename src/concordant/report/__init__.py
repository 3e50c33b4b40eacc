"""Findings → what a person reads: terminal tables, and the same numbers for machines."""
