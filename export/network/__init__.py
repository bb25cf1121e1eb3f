"""Turns a LayerGraph into a Network: channels last, batch norm folded."""
