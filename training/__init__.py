"""How the reference checkpoints were made, one recipe a game; nothing else imports it."""
