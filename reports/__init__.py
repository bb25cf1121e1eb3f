"""A bundle as one page to look at: what was proved of it, in words, figures and pictures."""
