"""The searches that `azx tune` tries on a network, and how each is called."""

from __future__ import annotations

from ..games.search_settings import USUAL, Gumbel, SearchSettings

# A Gumbel root weighs values against priors by c_scale: 0.1 is mctx's default, 1 the value in the paper on board games.
# KataGo chooses by a lower bound of 5 standard errors.
# Leela Zero and its successors use a first play between 0.2 and 0.4. C begins lower and higher than usual.
CANDIDATES: tuple[SearchSettings, ...] = (
    USUAL,
    SearchSettings(Gumbel(considered=16, c_scale=0.1)),
    SearchSettings(Gumbel(considered=8, c_scale=0.1)),
    SearchSettings(Gumbel(considered=16, c_scale=0.3)),
    SearchSettings(Gumbel(considered=16, c_scale=1.0)),
    SearchSettings(first_play=0.25),
    SearchSettings(c_init=0.9),
    SearchSettings(c_init=1.75),
    SearchSettings(lower_bound=5.0),
    SearchSettings(first_play=0.25, lower_bound=5.0),
    SearchSettings(Gumbel(considered=16, c_scale=0.1), first_play=0.25),
)


def in_words(settings: SearchSettings) -> str:
    """A readable name of a search, such as "Gumbel, 16 moves, scale 0.1"."""
    root, usual = settings.root, Gumbel()
    words = [f"Gumbel, {root.considered} moves, scale {root.c_scale:g}"] if root else ["PUCT"]
    if root and root.c_visit != usual.c_visit:
        words.append(f"visits {root.c_visit:g}")
    if settings.c_init != USUAL.c_init:
        words.append(f"C from {settings.c_init:g}")
    if settings.first_play is not None:
        words.append(f"first play {settings.first_play:g}")
    if settings.lower_bound is not None:
        words.append(f"mean less {settings.lower_bound:g} errors")
    if settings.early_stop:
        words.append("stops early")
    return ", ".join(words)
