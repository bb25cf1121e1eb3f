"""How fast, how large and how quick to load a bundle's artifacts are, each in its own runtime on this machine."""
