"""What ships with apps: checkpoints, golden files, installing, serving."""
