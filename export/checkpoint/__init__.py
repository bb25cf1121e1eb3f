"""Reads a checkpoint, as it was written, into a LayerGraph, with h5py and JSON only."""
