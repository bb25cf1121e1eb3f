"""The file as it was written, as a LayerGraph: h5py and JSON alone."""
