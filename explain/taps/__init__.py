"""An artifact's inner tensors, one file for each runtime, under one protocol."""
