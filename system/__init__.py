"""The machine: processes that stay loaded, locks, files and folders, streams, memory, Ctrl-C."""
