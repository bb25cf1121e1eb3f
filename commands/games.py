"""`azx games`: the games that azx knows, with their settings, shapes and planes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from .options import options
from .options.grouped import command
from .printed import output

if TYPE_CHECKING:
    from ..games.game import Game


MOST_ROWS = 8


@command()
@click.argument("names", nargs=-1, metavar="[GAME]...")
@options.json_option
def games(names: tuple[str, ...], as_json: bool) -> None:
    """List the games that azx knows, or what networks of each GAME read and answer.

    azx recognises a network by these shapes. If such networks write the board in several ways, each way has a name for
    --encoding. Another network is described with --encoding FILE.json, see docs/adding-a-game.md.
    """
    from ..games.known.recognition import list_games

    chosen = list_games(*names)
    if as_json:
        output.print_json([_as_data(game) for game in chosen])
    elif names:
        for game in chosen:
            _print_game(game)
    else:
        rows = []
        for game in chosen:
            settings = ", ".join(f"{each.name}={each.default}" for each in game.settings) or "none"
            numbering, encoding = game.shapes[0].numberings[0], game.encoding
            read, answered = f"{_shape(encoding.shape)} {encoding.layout}", f"{numbering.width} by {numbering.name}"
            rows.append((game.name, game.title, settings, read, answered))
        output.table(("name", "game", "settings", "input", "policy"), rows)
        output.line("azx games NAME lists the planes and the other shapes.")


def _print_game(game: Game) -> None:
    """Print the settings, and what networks read and answer: for every board, or for the first if the list is long."""
    from ..games.known.hypotheses import hypotheses
    from ..games.known.recognition import conventions

    output.line(f"{game.title} ({game.name})")
    first = game.shapes[0]
    for setting in game.settings:
        others = "; other sizes work too: `--json`" if setting.name in first.settings else ""
        choices = _choices(setting.choices)
        output.line(f"  {setting.name}: {setting.about}; {choices}; {setting.default} if not given{others}")
    widths = " or ".join(f"{numbering.width} by {numbering.name}" for numbering in first.numberings)
    of = "".join(f" of {name} {value}" for name, value in first.settings.items())
    output.line(f"  a network{of} answers {widths}, and reads one of")
    encodings = [encoding for shape in game.shapes for encoding in shape.encodings]
    listed = encodings if len(encodings) <= MOST_ROWS else first.encodings
    rows = [(_shape(e.shape), e.layout, _planes(e)) for e in listed]
    output.table(("input", "layout", "planes"), rows)
    for way in conventions(game):
        output.line(f"--encoding {way.name}: {way.says}")
    if game.is_probed:
        board = first.encodings[0].board
        signed = hypotheses(game, (board[0] * board[1],), first.numberings[0].width)
        output.line(f"--encoding takes planes by name: {signed[0].name}, ... (docs/readings.md)")
    output.line("Other readings by --encoding FILE.json: flip, transpose, history, value, value_order")
    output.line("and the planes player0, player1, last; docs/adding-a-game.md says what they are.")


def _choices(choices: Sequence[Any]) -> str:
    """The choices of a setting, neighbouring numbers as a range."""
    if len(choices) > 3 and list(choices) == list(range(choices[0], choices[-1] + 1)):
        return f"{choices[0]} to {choices[-1]}"
    return ", ".join(map(str, choices)) or "any number"


def _ages(planes: Sequence[str]) -> Iterator[str]:
    """The planes' names; successive planes of one kind are joined, such as `mover@1 to 3`."""
    for kind, group in groupby(planes, key=lambda name: "".join(name.partition("@")[:2])):
        names = list(group)
        yield f"{names[0]} to {names[-1].removeprefix(kind)}" if len(names) > 2 else ", ".join(names)


def _planes(encoding: Any) -> str:
    """The planes, and what else is unusual about the encoding."""
    from ..games.encoding import USUAL

    data = encoding.as_data()
    unusual = [name if data[name] is True else f"{name} {data[name]}" for name in data if name not in USUAL]
    return "; ".join([", ".join(_ages(encoding.planes)), *unusual])


def _shape(shape: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, shape))})"


def _as_data(game: Game) -> dict[str, Any]:
    from ..games.known.recognition import conventions

    return {
        "name": game.name,
        "title": game.title,
        "settings": [
            {"name": s.name, "default": s.default, "choices": list(s.choices), "about": s.about} for s in game.settings
        ],
        "ways": [{"name": way.name, "says": way.says} for way in conventions(game)],
        "networks": [
            {
                "settings": dict(shape.settings),
                "encoding": encoding.as_data(),
                "shape": list(encoding.shape),
                "policies": {numbering.name: numbering.width for numbering in shape.numberings},
            }
            for shape in game.shapes
            for encoding in shape.encodings
        ],
    }
