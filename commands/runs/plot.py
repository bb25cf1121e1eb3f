"""`azx match --plot`: the ratings of a match's networks, in the order in which they were named."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...errors import AzxError, NotRunHere
from ...export.installed import missing

if TYPE_CHECKING:
    from ...play.match import GameRecord
    from ...play.match_runner import Match
    from .question import Question


def check_plot(context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    """The file as it was given; refused before anything is played where it could not be written."""
    if path is None or path.suffix == ".svg":
        return path
    if path.suffix != ".png":
        raise click.BadParameter(f"'{path}' ends in neither .png nor .svg.")
    if (lacking := missing("PIL")) is not None:
        raise NotRunHere(f"{lacking}, or name a file that ends in .svg.")
    return path


def write_plot(match: Match, records: Sequence[GameRecord], question: Question, path: Path) -> None:
    """Write the curve; AzxError where the disk refuses it."""
    from ...play.match_result import pairings, ratings
    from ...play.rating.curve import curve
    from ...play.rating.drawing import as_svg_text, write_png

    asked = question.asked_of(records)
    found = pairings(asked, len(match.names), match.start)
    table = ratings(found, len(match.names), question.ratings(asked))
    elos = [rating.elo for rating in sorted(table, key=lambda rating: rating.net)]
    how = f"{match.rules.simulations} simulations" if match.rules.simulations else "the policy alone"
    title = f"{match.game.title}: {len(elos)} networks, {len(asked)} games, {how}"
    drawing = curve(title, match.names, elos, table[0].net)
    try:
        if path.suffix == ".svg":
            path.write_text(as_svg_text(drawing), encoding="utf8", newline="\n")
        else:
            write_png([drawing], path)
    except OSError as error:
        raise AzxError(f"'{path}' cannot be written ({error.strerror or error}): name another file.") from error
