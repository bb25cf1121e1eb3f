"""Runs Core ML's MIL programs in NumPy."""
