"""The page of a bundle, written later than the bundle."""
