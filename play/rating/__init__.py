"""How strong networks are, from the games they played, and which games would tell more."""
