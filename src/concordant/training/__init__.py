"""Judgements + recipe → metric: objectives, the loop with early stopping, search, recipes."""
