"""What was encoded before, kept on disk."""
