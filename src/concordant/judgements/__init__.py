"""Files → records: one module per format, detection with a reason, conversions and splits."""
