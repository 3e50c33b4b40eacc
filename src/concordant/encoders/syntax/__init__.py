"""Texts → parse trees."""
