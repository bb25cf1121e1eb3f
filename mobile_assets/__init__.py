"""What ships and where it goes: checkpoints, golden files, install, serve."""
