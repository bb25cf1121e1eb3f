"""How the Go checkpoint was made."""
