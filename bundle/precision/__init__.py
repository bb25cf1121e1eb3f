"""Tries, judges and writes artifacts in lower precisions."""
