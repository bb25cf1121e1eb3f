"""Files of weights and graphs that Keras did not write, read as data."""
