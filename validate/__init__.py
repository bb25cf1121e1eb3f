"""The proof: the original's answers against every artifact's, each in its own runtime."""
