"""The same file in Keras itself."""
