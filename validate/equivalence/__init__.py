"""Compares an artifact's bytes with its checkpoint as programs: no TensorFlow, no runtime, no positions."""

from .compare import compare

__all__ = ["compare"]
