"""Networks against each other: games, matches, tournaments."""
