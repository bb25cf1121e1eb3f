"""Makes, proves, reads and publishes a bundle's folder."""
