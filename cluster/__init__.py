"""Exports and games on several machines: what is sent to the workers of a cluster, and what is made of their answers."""
