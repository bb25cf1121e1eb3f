"""Commands that measure bundles."""
