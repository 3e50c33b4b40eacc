"""Everything that scores."""
