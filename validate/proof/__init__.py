"""The verdict on every artifact, and the figures for it."""
