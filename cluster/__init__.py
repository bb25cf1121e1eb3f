"""Exports and games on several machines: what the workers of a cluster are sent, and what is made of their answers."""
