"""The verdict on every artifact, and the figures behind it."""
