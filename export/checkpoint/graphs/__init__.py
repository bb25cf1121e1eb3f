"""Graphs of TensorFlow: frozen ones, and those beside a checkpoint of TensorFlow 1."""
