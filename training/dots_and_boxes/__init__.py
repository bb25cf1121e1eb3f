"""How the Dots and Boxes checkpoint was made."""
