"""All the networks of one game against each other, more of them from time to time, every game played once."""
