"""How strong the AI plays, in eight levels from beginner to full strength."""
