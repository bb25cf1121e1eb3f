"""The files of a bundle: manifest.json, golden.json and files.json."""
