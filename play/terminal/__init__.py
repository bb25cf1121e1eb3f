"""The board in a terminal: what is shown, what is typed, one sitting at the table."""
