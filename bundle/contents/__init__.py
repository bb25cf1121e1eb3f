"""The files of a bundle: manifest.json and golden.json, and what they say."""
