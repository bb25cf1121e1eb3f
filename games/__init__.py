"""The games: states, encodings, recognition and search, independent of files and networks."""
