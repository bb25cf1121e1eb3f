"""Reads TensorFlow graphs: frozen ones, and those beside a TensorFlow 1 checkpoint."""
