"""Exports and games on several machines: sends tasks to a cluster's workers and checks their answers."""
