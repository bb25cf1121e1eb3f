"""The board in a terminal: the display, the input, and one sitting at the table."""
