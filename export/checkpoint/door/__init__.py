"""The first contact with a file: checks the type of every attribute and member, and every size, or refuses the file."""
