"""Protocols by which board programs talk to each other: azx as an engine, and other engines as opponents."""
