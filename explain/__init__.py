"""Finds the faulty layer of an artifact by comparing its inner tensors with the original's, layer by layer."""
