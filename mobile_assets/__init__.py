"""What ships, and its places: checkpoints, golden files, install, serve."""
