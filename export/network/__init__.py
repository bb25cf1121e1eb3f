"""LayerGraph to Network: channels last, batch norm folded."""
