"""Scores + judgements → agreement with people: evaluation, annotators, published experiments."""
