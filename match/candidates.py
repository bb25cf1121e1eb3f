"""The searches that `azx tune` tries on a network, and how each is called."""

from __future__ import annotations

from ..games.search_settings import USUAL, Gumbel, SearchSettings

# A Gumbel root weighs values against priors by c_scale: 0.1 is mctx's default, 1 what the paper has for board games.
CANDIDATES: tuple[SearchSettings, ...] = (
    USUAL,
    SearchSettings(Gumbel(considered=16, c_scale=0.1)),
    SearchSettings(Gumbel(considered=8, c_scale=0.1)),
    SearchSettings(Gumbel(considered=16, c_scale=0.3)),
    SearchSettings(Gumbel(considered=8, c_scale=0.3)),
    SearchSettings(Gumbel(considered=16, c_scale=1.0)),
)


def in_words(settings: SearchSettings) -> str:
    """What a person calls a search, such as "Gumbel, 16 moves, scale 0.1"."""
    root = settings.root
    if root is None:
        return "PUCT"
    visit = "" if root.c_visit == Gumbel().c_visit else f", visits {root.c_visit:g}"
    return f"Gumbel, {root.considered} moves, scale {root.c_scale:g}{visit}"
