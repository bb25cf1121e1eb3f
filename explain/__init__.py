"""Finds the faulty layer of an artifact: its inner tensors beside the original's, with the checkpoint's layer names."""
