"""Games as texts: SGF, a line of moves, the end of a link. docs/records.md is their definition."""
