"""Matrix or trees → scores: a folder for each kind of model, and what fitting them shares."""
