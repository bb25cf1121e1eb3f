"""What azx ships beside its code: the reference checkpoints."""
