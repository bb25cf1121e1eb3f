"""The version of azx and its name for pip, in a file of their own, so that no room imports the root."""

DISTRIBUTION = "azx-export"
__version__ = "0.1.0"
