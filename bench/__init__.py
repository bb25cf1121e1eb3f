"""Measures a bundle's artifacts, each in its own runtime on this machine: speed, size and time to load."""
