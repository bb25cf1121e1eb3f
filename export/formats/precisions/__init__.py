"""Lower precisions: what each means, which layers stay in float, weights in fewer bits."""
