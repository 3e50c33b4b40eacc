"""What is suspicious about a segment, and what a metric is made for."""
