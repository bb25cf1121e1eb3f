"""The door of a checkpoint: any file, by what it is, as a LayerGraph."""

from .any_file import read_checkpoint as read_checkpoint
