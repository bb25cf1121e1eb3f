"""Statements about a network's outputs and board, each with the degree to which it is known."""
