"""Checks an artifact's content before any runtime opens it: one file per format, which runs nothing."""
