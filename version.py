"""The version of azx, in a file of its own, so that no room has to import the root."""

__version__ = "0.1.0"
