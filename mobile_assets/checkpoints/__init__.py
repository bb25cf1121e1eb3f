"""The checkpoints that ship with azx."""
