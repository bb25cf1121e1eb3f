"""What is kept of an artifact's answers, position by position, so that they can be drawn later without running it."""
