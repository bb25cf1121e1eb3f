"""Training runs: their settings, their generations, and how a run resumes after any interruption."""
