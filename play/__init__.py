"""One network, one board: the network in any runtime, a sitting, its record."""
