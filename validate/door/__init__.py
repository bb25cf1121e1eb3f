"""Checks an artifact's content before a runtime opens it: one file per format, which runs nothing."""
