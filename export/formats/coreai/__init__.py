"""Translates a frozen TensorFlow graph into the operations of Apple's Core AI."""
