"""Lower precisions: their definitions, the layers that stay in float, and weights in fewer bits."""
