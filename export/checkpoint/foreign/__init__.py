"""Files of other frameworks: their weights and graphs, read as data."""
