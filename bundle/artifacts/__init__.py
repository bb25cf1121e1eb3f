"""The artifacts of an export: written, and tried in lower precisions."""
