"""Decides whether an app can play a bundle; if not, lists the problems as codes.

Every app has a text for each code: `problem_<code>` of apps/texts, into which the problem's places are filled.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from pathlib import Path

from ...errors import BundleError, GameError
from ...export.checkpoint.head import POLICY, VALUE
from ...games.known import recognition
from ...games.search_settings import fault_in
from ...manifest import Head, Manifest, Problem
from ...texts import has_text, say


def problem(code: str, *places: object) -> Problem:
    """A problem whose places are converted to text."""
    return Problem(code=code, places=tuple(map(str, places)))


def why_not(manifest: Manifest) -> list[Problem]:
    """The problems of the manifest's bundle, including those that the manifest states; empty if an app can play it.

    A bundle that cannot be played can still be installed, and its self-test runs.
    """
    own = problems_of(manifest)
    codes = {each.code for each in own}
    return [*own, *(each for each in manifest.problems or () if each.code not in codes)]


def check_playable(name: Path | str, manifest: Manifest, where: str = "", advice: str = "") -> None:
    """Raise BundleError if no app can play the bundle.

    The sentence says `where` (" on a page") and ends with `advice`.
    """
    if problems := why_not(manifest):
        raise BundleError(f"'{name}' cannot be played{where}: {in_words(problems)}.{advice}")


def problems_of(manifest: Manifest) -> list[Problem]:
    """The problems that follow from the other members of a manifest."""
    problems = []
    roles = {head.role: head for head in manifest.outputs}
    if len(manifest.inputs) != (manifest.encoding.input_count if manifest.encoding else 1):
        problems.append(problem("inputs", len(manifest.inputs)))
    if not {POLICY, VALUE} & roles.keys():
        problems.append(problem("no_heads"))
    if manifest.batch not in (None, 1):
        problems.append(problem("batch", manifest.batch))
    if manifest.search is not None and (fault := fault_in(manifest.search.as_data())) is not None:
        problems.append(problem("search", fault))
    game = _game_problem(manifest, roles.get(POLICY))
    return [*([game] if game else []), *problems]


def _game_problem(manifest: Manifest, policy: Head | None) -> Problem | None:
    """The problem with the game as the manifest describes it; None if there is no problem."""
    from ...games.known.catalogue import GAMES

    game = manifest.game
    if not game:
        return problem("no_game")
    if game not in GAMES:
        return problem("unknown_game", game)
    if not manifest.encoding:
        return problem("no_encoding")
    try:
        reading = recognition.reading_from(manifest.reading, prod(policy.shape) if policy else None)
    except GameError as error:
        return problem("unreadable", str(error).rstrip("."))
    shapes = reading.encoding.input_shapes
    if len(shapes) != len(manifest.inputs):
        return None
    sizes = ((prod(made), prod(read.shape)) for made, read in zip(shapes, manifest.inputs, strict=True))
    return next((problem("size", made, read) for made, read in sizes if made != read), None)


def in_words(problems: Sequence[Problem]) -> str:
    """The problems in English, and what still works: "it has no known game; its self-test runs"."""
    return f"{say('and_clause').join(map(clause_of, problems))}; its self-test runs"


def clause_of(problem: Problem) -> str:
    """A problem in English; for a code of a later azx, the code itself."""
    key = f"problem_{problem.code}"
    try:
        return say(key, problem.places) if has_text(key) else say("problem_unknown", [problem.code])
    except IndexError:  # a manifest gives fewer places than the text has
        return say("problem_unknown", [problem.code])
