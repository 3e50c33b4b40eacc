"""Matrix or trees → scores: pure forward passes, the same lines for NumPy and for torch."""
