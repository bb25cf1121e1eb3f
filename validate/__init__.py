"""Proves artifacts: runs each in its own runtime and compares its answers with the original's."""
