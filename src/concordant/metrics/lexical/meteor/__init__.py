"""METEOR: its data, its modules and its alignment."""
