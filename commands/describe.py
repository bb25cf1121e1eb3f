"""`azx describe`: find out with a person how an unknown network sees its board, and write that down."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import from_fields, options
from .options.grouped import command
from .printed import output

if TYPE_CHECKING:
    from ..bundle.description.description import Choice, Description, Question
    from ..export.checkpoint.head import Head
    from ..export.graph.names import Names
    from ..validate.reading.figures import Figures

# With at most this many answers, a board is drawn for each; with more, for the chosen one alone.
DRAWN_AT_ONCE = 2
# The figures of `Figures` that are shown if there are any.
SHARES = ("wins", "blocks", "both", "legal", "values")
HALF = 0.5
ANSWERS = ("game", "size", "pieces", "row_0", "cells", "layout", "beside", "moves", "value", "order")


@command()
@click.argument("checkpoint")
@click.option("--game", type=options.GameName(), metavar="NAME", help="The game that it plays (`azx games`).")
@click.option("--size", metavar="6x7", help="Rows and columns, if the length of its input does not determine them.")
@click.option("--pieces", metavar="PLANES", help="The planes of its input with commas: mover,opponent or signed ...")
@click.option("--row-0", type=click.Choice(("top", "bottom")), help="Where row 0 of its input lies on the board.")
@click.option("--cells", type=click.Choice(("by-row", "by-column")), help="In which order its input has the cells.")
@click.option("--layout", metavar="LAYOUT", help="channels_first, channels_last, flat or cells, if the shape fits two.")
@click.option("--beside", metavar="PLANES", help="What a second input says of who is to move: turn_player0, ...")
@click.option("--moves", metavar="NAME", help="How the policy numbers moves: a name of `azx games GAME`, or as-input.")
@click.option("--value", metavar="WHOSE", help="Whose value it answers with: mover, opponent, player0 or player1.")
@click.option("--order", metavar="A,B,C", help="Three outputs of its value: win,draw,loss in their order, or unknown.")
@click.option(
    "--code",
    metavar="FILE.py:FUNCTION",
    help="Your function that makes a board's input. It runs with --allow-code and is compared with every plane of azx.",
)
@click.option("--allow-code", is_flag=True, help="Run the function of --code, in a process of its own.")
@options.file_option(
    "-o",
    "--output",
    "written",
    default=Path("encoding.json"),
    show_default=True,
    help="Where the description is written.",
)
@click.option("--force", is_flag=True, help="Replace an existing description.")
@from_fields.architecture_options
@from_fields.head_options
@options.json_option
def describe(
    checkpoint: str, code: str | None, allow_code: bool, written: Path, force: bool, as_json: bool, **chosen: Any
) -> None:
    """Say how the network of CHECKPOINT sees its board, if azx does not know: a few questions, each with a drawn board.

    If nothing says what its outputs are, that is asked first. --code answers how it sees the pieces by a function of
    yours: encode(board), encode(board, player) or encode(board, player, history), docs/not-recognised.md. Each answer
    that still fits is shown with what the network then does. The figures: wins in one move and blocks that it finds,
    wins beside a block ("both"), legal best moves, and how often the better of two positions has the higher value. The
    right answer is likely the one with the highest figures. In a script every answer is an option. The result is a file
    for --encoding.
    """
    from ..errors import AzxError
    from ..verbs.playing import describe_network

    if written.exists() and not force:
        raise AzxError(f"'{written}' is there already: choose another file with --output, or replace it with --force.")
    answers = {name.replace("_", "-"): chosen.pop(name) for name in ANSWERS}
    answers = {name: word for name, word in answers.items() if word is not None}
    heads = {name: chosen.pop(name) for name in ("value_head", "policy_head")}
    again = [part for name, value in chosen.items() if value for part in _as_option(name, value)]
    ask = _ask_outputs if _can_ask() and not as_json else _ask_nobody
    description = describe_network(checkpoint, answers, code=code, allow_code=allow_code, ask=ask, **heads, **chosen)
    own = {"value_head": description.names.value_head, "policy_head": description.names.policy_head}
    again += [part for name, value in own.items() if value for part in _as_option(name, value)]
    if missing := description.missing():
        if as_json or not _can_ask():
            raise AzxError(f"'{checkpoint}': {missing}")
        _ask_the_rest(description)
    _finish(description, written, ["azx", "export", checkpoint, *again, "--encoding", str(written)], as_json)


def _can_ask() -> bool:
    return sys.stdin.isatty()


def _ask_outputs(heads: Sequence[Head], names: Names) -> Names:
    """Asks a person what an output is, if nothing else says it."""
    for head in heads:
        numbers = "is the number" if head.width == 1 else f"are the {head.width} numbers"
        output.line(f"\nWhat {numbers} of '{head.source_name}' ({head.activation})?")
        open_roles = [role for role in ("value", "policy") if getattr(names, f"{role}_head") is None]
        words = click.Choice([*open_roles, "neither"])
        answer = click.prompt("", prompt_suffix="> ", type=words, default="neither")
        names = replace(names, value_head=head.source_name) if answer == "value" else names
        names = replace(names, policy_head=head.source_name) if answer == "policy" else names
    return names


def _ask_nobody(heads: Sequence[Head], names: Names) -> Names:
    """Return the names unchanged, because a script names outputs by options."""
    return names


def _of_chance(figures: Figures) -> str:
    return "" if figures.chance is None else f" (by chance {figures.chance:.0%} of the moves)"


def _as_option(name: str, value: Any) -> tuple[str, str]:
    text = "x".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return f"--{name.replace('_', '-')}", text


def _ask_the_rest(description: Description) -> None:
    from ..errors import GameError

    while question := description.question():
        _show(description, question)
        while True:
            word = _word(question, click.prompt("", prompt_suffix="> "))
            try:
                description.answer(question.name, word)
                break
            except GameError as error:
                output.line(str(error), good=False)
        if len(question.choices) > DRAWN_AT_ONCE:
            _draw(description, question)


def _word(question: Question, text: str) -> str:
    """The word of an answer that was typed: a choice's number stands for its word."""
    text = text.strip()
    if text.isdecimal() and 0 < int(text) <= len(question.choices):
        return question.choices[int(text) - 1].word
    return text


def _show(description: Description, question: Question) -> None:
    """The question with its answers, their figures, and boards if they are few."""
    done = description.measure()
    figures = [description.figures_of(choice) for choice in question.choices]
    output.line(f"\n{question.asks}")
    if not question.choices:
        output.line("Name the planes of its input with commas, in their order, as docs/adding-a-game.md lists them.")
        return
    shares = [name for name in SHARES if any(one and getattr(one, name) is not None for one in figures)]
    rows = [
        (at, choice.word, choice.says, *(_percent(one, name) for name in shares))
        for at, (choice, one) in enumerate(zip(question.choices, figures, strict=True), 1)
    ]
    output.table(("", "answer", "", *shares), rows, right=shares)
    chance = next((one.chance for one in figures if one and one.chance is not None), None)
    if chance is not None:
        output.line(f"The samples are small: by chance {chance:.0%} of the moves are found.")
    if not done:
        output.line("Not all were tried: the network is too large for that.")
    if description.problem:
        output.line(description.problem)
    if len(question.choices) <= DRAWN_AT_ONCE:
        _draw(description, question, *question.choices)


def _percent(figures: Figures | None, name: str) -> str:
    share = getattr(figures, name, None)
    return "" if share is None else f"{share:.0%}"


def _draw(description: Description, question: Question, *choices: Choice) -> None:
    """Draws a position and the numbers that the network reads: for each answer, or for all answers so far."""
    from ..bundle.description.answers import DRAWN, example_state
    from .printed.network_input import draw_numbers

    if question.name not in DRAWN:
        return
    state = example_state(description.readings[0])
    output.line(f"\nX began, {'XO'[state.to_move]} is to move:")
    click.echo(state.board_text())
    for word, readings in [(each.word, each.readings) for each in choices] or [("", description.readings)]:
        output.line(f"What the network reads{f' if it is {word}' if word else ''}:")
        reading, tensor = description.example(readings)
        click.echo(draw_numbers(tensor, reading.encoding))


def _finish(description: Description, written: Path, export: list[str], as_json: bool) -> None:
    """Write the description; print how well it fits and the next command."""
    data = description.as_data()
    description.measure()
    figures = description.figures_of_all()
    written.write_text(json.dumps(data, indent=1) + "\n", encoding="utf8")
    line = shlex.join(export)
    if as_json:
        output.print_json(
            {"file": written, "encoding": data, "name": description.name(), "figures": figures, "export": line}
        )
        return
    output.line(f"{description.readings[0].line}")
    if figures:
        shares = ", ".join(f"{name} {_percent(figures, name)}" for name in SHARES if _percent(figures, name))
        output.line(f"Of small samples it finds: {shares}{_of_chance(figures)}.")
        if figures.chance is not None and figures.mean_share <= figures.chance:
            output.warning("That is no better than chance: the network is weak, or this is not how it sees the board.")
        if figures.values is not None and figures.values < HALF:
            output.warning("The worse position has the higher value more often than not: it may be the other player's.")
    output.line(f"Written: {written}", good=True)
    if name := description.name():
        output.line(f"`--encoding {name}` says the same without a file.")
    output.line(f"Next: {line}")
