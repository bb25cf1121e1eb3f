"""Many checkpoints to their bundles, in processes that stay loaded, and what became of each."""
