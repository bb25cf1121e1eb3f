"""A checkpoint to one file of a format: read, simplified, frozen, written; nothing here judges."""
