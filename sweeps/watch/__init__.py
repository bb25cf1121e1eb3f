"""Checkpoints as training writes them: exported, proved, played against the best so far."""
