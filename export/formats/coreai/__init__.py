"""A frozen TensorFlow graph in the operations of Apple's Core AI."""
