"""Other people's engines as players, one file a protocol."""
