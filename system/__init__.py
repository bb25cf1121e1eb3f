"""What belongs to the machine: processes that stay loaded, locks, temporary folders, the exchange of folders."""
