"""An artifact's inner tensors: one file per runtime, all with the same protocol."""
