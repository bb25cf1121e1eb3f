"""The games that azx knows, and the shapes that identify them."""
