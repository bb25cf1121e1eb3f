"""The search: it finds the best move by a network's answers. `docs/search.md` explains its settings."""

from .exploration import exploration
from .report import MOST, Candidate, Report, rank_candidates
from .search import Search
from .together import run_together

__all__ = ["MOST", "Candidate", "Report", "Search", "exploration", "rank_candidates", "run_together"]
