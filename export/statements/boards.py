"""Statements about how a network reads its board, one sentence per case; a test's figures are kept beside it."""

from __future__ import annotations

from collections.abc import Sequence

from ...games.game import Reading
from ...statement import DOUBTFUL, Degree, Statement

BOARD, GAME = "board", "game"
READINGS = "docs/readings.md"


def shown(moves: float | None, by_chance: float | None, values: float | None, figures: str) -> Statement:
    """The reading is shown by the network's answers: shares of right moves, of moves by chance, of values in order."""
    clauses = []
    if moves is not None:
        chance = f", {by_chance:.0%} by chance" if by_chance is not None else ""
        clauses.append(f"its policy finds {moves:.0%} of the right moves{chance}")
    if values is not None:
        clauses.append(f"its value orders {values:.0%} of the pairs")
    return Statement(BOARD, Degree.SHOWN, f"{' and '.join(clauses)}.", figures)


def shown_by_frontiers(figures: str) -> Statement:
    """The order of the planes is shown by value and policy, on boards that a wall divides."""
    sentence = "its value finds the leader on boards that a wall divides, in this order of the planes alone."
    return Statement(BOARD, Degree.SHOWN, sentence, figures)


def usual(name: str, other: str | None, figures: str, *, reads: bool = False, too_large: bool = False) -> Statement:
    """The usual reading is assumed: the answers show none or, with `reads`, fit several of which this is one.

    `other` is an alternative for --encoding.
    """
    why = "its answers fit several" if reads else "its answers show none"
    why = "the network is too large to be tested" if too_large else why
    return _assumed(f"{name} is the usual way, and {why}.", other, figures)


def alike(name: str, other: str | None, figures: str) -> Statement:
    """The reading in which the network plays best is assumed; it plays equally well in another."""
    return _assumed(f"{name} fits, and it plays alike in another way.", other, figures)


def alone(figures: str, *, plays: bool = False) -> Statement:
    """The only reading that azx knows for these shapes is assumed; with `plays`, the network plays well in it."""
    shown = "it plays well in it, and perhaps in others" if plays else "nothing shows it"
    return _assumed(f"azx knows one way for these shapes, and {shown}.", None, figures)


def contrary(figures: str) -> Statement:
    """The only reading that azx knows for these shapes is assumed, although its value is lower for the leader."""
    sentence = "azx knows one way for these shapes, and in it the value prefers who is behind."
    return _assumed(sentence, None, figures)


def _assumed(sentence: str, other: str | None, figures: str) -> Statement:
    instead = f"--encoding {other}" if other else "azx describe"
    return Statement(BOARD, Degree.ASSUMED, f"{sentence} Otherwise: {instead} ({READINGS}).", figures, instead)


def said(by: str) -> Statement:
    """The user or a file states the reading; `by` is the option or the file."""
    return Statement(BOARD, Degree.SAID, f"{by}.")


def of_family(family: str | None, found: str = "", rules: str = "") -> Statement:
    """The reading of a family's code is assumed; `found` are the network's figures in that reading."""
    written = f"as the code of {family} writes it"
    if not found:
        return Statement(BOARD, Degree.ASSUMED, f"{written}; azx has no positions to show it.", instead="--encoding")
    return Statement(BOARD, Degree.SHOWN, f"{written}: {found}.", rules)


def shipped() -> Statement:
    """The network is one that azx ships, as its file's SHA-256 shows."""
    return Statement(BOARD, Degree.CERTAIN, "the network that azx ships.")


def say_game(reading: Reading, *, is_said: bool) -> Statement:
    """The game that the network plays: as the user said, as its reading shows, or by its shapes alone."""
    degree = reading.statement.degree if reading.statement else Degree.SAID
    title = reading.game.title
    if is_said or degree is Degree.SAID:
        return Statement(GAME, Degree.SAID, f"it plays {title}.")
    if degree in DOUBTFUL:
        sentence = f"it plays {title}, by its shapes alone. Otherwise: --game NAME, or none."
        return Statement(GAME, Degree.ASSUMED, sentence, instead="--game NAME")
    return Statement(GAME, degree, f"it plays {title}.")


def say_board(reading: Reading | None, note: str | None, figures: str, *, has_policy: bool) -> Statement:
    """The statement about a network's board: by its reading or, without one, by the clause `note`."""
    if reading is None:
        why = "no game that azx knows has its shapes" if has_policy else "nothing says which output is its policy"
        sentence, _, more = (note or f"which game it plays: {why}").partition("; ")
        return Statement(BOARD, Degree.UNKNOWN, f"{sentence}.", "; ".join(filter(None, (more, figures))))
    return reading.statement or said("as its exporter said")


def not_known(title: str, what: str, names: Sequence[str]) -> str:
    """The clause about a board that has a game's shapes, but whose reading is unknown."""
    named = " or ".join(names[:2]) + (f" or another of {READINGS}" if len(names) > 2 else "")
    return f"its shapes are {title}'s, but {what} is not known: say --encoding {named}"
