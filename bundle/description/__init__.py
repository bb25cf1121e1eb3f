"""Builds a network's encoding from a user's answers about it."""
