"""`azx games`: the games that azx knows, with their settings, shapes and planes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from . import options, output

if TYPE_CHECKING:
    from ..games.game import Game


@click.command()
@click.argument("names", nargs=-1, metavar="[GAME]...")
@options.json_option
def games(names: tuple[str, ...], as_json: bool) -> None:
    """List the games that azx knows, or tell of each GAME what its networks read and answer.

    A network is recognised by these shapes. Another one is described with --encoding FILE.json, see
    docs/adding-a-game.md.
    """
    from ..games.catalogue import GAMES
    from ..games.recognition import by_name

    chosen = [by_name(name) for name in names] or list(GAMES.values())
    if as_json:
        output.print_json([_as_data(game) for game in chosen])
    elif names:
        for game in chosen:
            _print_game(game)
    else:
        rows = [(game.name, game.title, _settings(game), *_reference(game)) for game in chosen]
        output.table(("name", "game", "settings", "input", "policy"), rows)
        output.line("azx games NAME tells which planes and which other shapes are read.")


def _reference(game: Game) -> tuple[str, str]:
    numbering = game.shapes[0].numberings[0]
    return f"{_shape(game.encoding.shape)} {game.encoding.layout}", f"{numbering.width} by {numbering.name}"


def _settings(game: Game) -> str:
    return ", ".join(f"{s.name}={s.default}" for s in game.settings) or "none"


def _print_game(game: Game) -> None:
    output.line(f"{game.title} ({game.name})")
    for setting in game.settings:
        choices = ", ".join(map(str, setting.choices)) or "any number"
        output.line(f"  {setting.name}: {setting.about}; {choices}; {setting.default} if not given")
    output.line("")
    rows = [row for shape in game.shapes for row in _rows(shape)]
    output.table(("settings", "input", "layout", "planes", "policy"), rows)
    output.line("")
    output.line(
        "--encoding FILE.json describes another reading: flip, transpose, history, value, value_order, and the planes"
    )
    output.line("player0, player1 and last besides; docs/adding-a-game.md says what they are.")


def _rows(shape: Any) -> list[tuple[str, ...]]:
    settings = ", ".join(f"{name} {value}" for name, value in shape.settings.items()) or "-"
    widths = " or ".join(f"{numbering.width} by {numbering.name}" for numbering in shape.numberings)
    return [
        (settings, _shape(encoding.shape), encoding.layout, _planes(encoding), widths) for encoding in shape.encodings
    ]


def _planes(encoding: Any) -> str:
    """The planes, and what else is unusual of how they are read."""
    from ..games.encoding import USUAL

    data = encoding.as_data()
    unusual = [name if data[name] is True else f"{name} {data[name]}" for name in data if name not in USUAL]
    return "; ".join([", ".join(encoding.planes), *unusual])


def _shape(shape: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, shape))})"


def _as_data(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "settings": [
            {"name": s.name, "default": s.default, "choices": list(s.choices), "about": s.about} for s in game.settings
        ],
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
