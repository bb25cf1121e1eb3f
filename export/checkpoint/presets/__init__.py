"""The architectures of families of networks that save only weights."""
