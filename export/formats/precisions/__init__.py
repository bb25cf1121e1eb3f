"""Lower precisions: their definitions, the layers that stay in float, weights in fewer bits."""
