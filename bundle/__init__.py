"""A bundle's folder: made, proved, read, published."""
