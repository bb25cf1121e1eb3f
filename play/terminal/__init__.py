"""The board in a terminal: the display, the input, and a game at the table."""
