"""What stands in an artifact, looked at before any runtime opens it: one file a format, which runs nothing."""
