"""The training of the shipped checkpoints, a folder for each game. Nothing imports it, and no wheel has it."""
