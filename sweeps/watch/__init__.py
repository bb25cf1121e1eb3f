"""Exports and proves checkpoints as training writes them, and lets each play the best so far."""
