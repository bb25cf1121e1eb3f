"""Which layer of an artifact is at fault: its inner tensors beside the original's, in the checkpoint's own words."""
