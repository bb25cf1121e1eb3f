"""What is played: states, encodings, recognition and search; it knows no file and no network."""
