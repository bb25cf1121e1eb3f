"""Writers: a FrozenGraph to a file of one format."""
