"""Commands over the checkpoints of a whole training run."""
