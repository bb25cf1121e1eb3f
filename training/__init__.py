"""How the shipped checkpoints were made, one folder a game; nothing imports it, and no wheel has it."""
