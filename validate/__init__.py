"""Does an artifact answer as the original? Each is run in its own runtime and compared."""
