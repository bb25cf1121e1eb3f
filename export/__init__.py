"""Turns a checkpoint into a file of one format: reads, simplifies, freezes, writes. Nothing here judges."""
