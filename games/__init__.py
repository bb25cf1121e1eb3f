"""Game rules, encodings and the positions that networks are compared on."""
