"""The first contact with a file: reads every attribute, member and size as the kind it should be, or refuses it."""
