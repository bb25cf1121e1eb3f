"""A TensorFlow SavedModel that Keras 2 wrote, read without TensorFlow: nothing of its graph is run."""
