"""The float64 witness, which shares no code with the simplifier."""
