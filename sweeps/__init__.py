"""Exports many checkpoints in processes that stay loaded, and keeps the outcome of each."""
