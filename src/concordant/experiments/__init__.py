"""Published figures computed again: one module per experiment, the table of them in `registry`."""
