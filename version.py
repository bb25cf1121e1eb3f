"""The version of azx and the name that pip knows it by, in a file of its own: no room has to import the root."""

DISTRIBUTION = "azx-export"
__version__ = "0.1.0"
