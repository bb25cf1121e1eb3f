"""The search: which move a network's answers make the best one. `docs/search.md` says what its settings do."""

from .exploration import exploration
from .report import MOST, Candidate, Report, rank_candidates
from .search import Search
from .together import run_together

__all__ = ["MOST", "Candidate", "Report", "Search", "exploration", "rank_candidates", "run_together"]
