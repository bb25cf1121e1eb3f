"""Reads weights of other frameworks: PyTorch, pickled arrays, safetensors, TensorFlow 1."""
