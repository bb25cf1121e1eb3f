"""What each command does, as a function: the command line calls it, and so may your program."""
