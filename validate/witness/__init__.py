"""The float64 witness, which shares nothing with the simplifier."""
