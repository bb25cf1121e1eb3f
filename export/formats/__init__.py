"""FrozenGraph to a file of one format."""
