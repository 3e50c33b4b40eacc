"""Networks that encode texts."""
