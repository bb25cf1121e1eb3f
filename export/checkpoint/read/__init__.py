"""Reads any checkpoint file, by its kind, into a LayerGraph."""

from .any_file import read_checkpoint as read_checkpoint
