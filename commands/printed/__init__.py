"""What commands print: progress, proofs, matches, ratings."""
