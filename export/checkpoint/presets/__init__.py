"""Families of networks that save weights alone."""
