"""Published figures recomputed: one module per experiment, listed in `registry`."""
