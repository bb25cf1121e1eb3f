"""Artifacts in lower precisions: tried, held to their gate, written."""
