"""The end of a game of Go in `azx play`: dead stones, an estimate, a game that is played on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from golden.cases import SCORED, scored_actions

from azx.cli import cli
from azx.games.evaluator import Uniform
from azx.games.game import Reading
from azx.games.known.catalogue import GAMES
from azx.games.rules import go
from azx.games.search_settings import USUAL
from azx.play import network as evaluators
from azx.play.game_log import read_log


class Stand(Uniform):
    """A network that costs nothing."""

    name, runtime, search, remembering = "uniform", "none", USUAL, nullcontext
    reading = Reading(GAMES["go"], GAMES["go"].shapes[0].encodings[0], GAMES["go"].shapes[0].numberings[0], {})


@pytest.fixture
def ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs `azx play` from a board with dead stones of both colours, its last `without` moves not yet played."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    case = next(case for case in SCORED if "both" in case.about)
    actions = scored_actions(case)

    @contextmanager
    def opened(net: object, **options: Any) -> Iterator[Any]:
        yield Stand()

    monkeypatch.setattr(evaluators, "open_network", opened)

    def run(typed: str, without: int = 0, *more: str) -> Result:
        moves = " ".join(go.start().label(action) for action in actions[: len(actions) - without])
        Path("board.txt").write_text(f"go: {moves}\n", encoding="utf8")
        given = ["play", "--side", "first", "--simulations", "1", "--from", "board.txt", "--log", "log.jsonl", *more]
        return CliRunner().invoke(cli, given, input=typed)

    return run


def test_dead_stones_are_proposed_and_agreed_on_and_kept(ended: Any) -> None:
    done = ended("agree\nquit\n", 0, "--save", "game.sgf")
    assert done.exit_code == 0, done.output
    assert "Dead stones, which are taken off: B3 G3 E2 F2 G2." in done.stdout
    assert "Score: white wins by" in done.stdout
    assert "With all stones alive" in done.stdout
    assert "(X)" in done.stdout
    assert "AI won (white by" in done.stdout
    session = read_log(Path("log.jsonl"))
    assert session.end is not None
    assert session.end["reason"] == "agreed"
    assert session.end["dead"] == [55, 60, 67, 68, 69]
    assert session.agreed_score is not None
    record = Path("game.sgf").read_text(encoding="utf8")
    assert f"RE[W+{abs(session.agreed_score):g}]" in record
    assert session.agreed_score != session.state.score()  # type: ignore[attr-defined]


def test_a_stone_that_is_named_changes_with_its_chain(ended: Any) -> None:
    done = ended("?\nE2\nA1\nzz\nE2\nquit\n", 0, "--json")
    told = [json.loads(line) for line in done.stdout.splitlines()]
    scorings = [event for event in told if event["event"] == "scoring"]
    assert len(scorings) == 3
    chain = set(scorings[0]["dead"]) - set(scorings[1]["dead"])
    assert {"E2", "F2", "G2"} <= chain
    assert scorings[2]["dead"] == scorings[0]["dead"]
    assert scorings[1]["score"] != scorings[0]["score"]
    errors = [event["text"] for event in told if event["event"] == "error"]
    assert errors == [
        "There is no stone on A1: name one, agree, or on.",
        "'zz' is no stone: name one such as D4, agree, or on to play on.",
    ]
    assert any("play on" in event["text"] for event in told if event["event"] == "help")


def test_playing_on_takes_both_passes_back_and_the_ai_plays(ended: Any) -> None:
    done = ended("on\npass\nquit\n")
    assert "You play on: both passes are taken back." in done.stdout
    session = read_log(Path("log.jsonl"))
    assert session.end is None
    assert not session.state.is_terminal or len(session.actions) > 0


def test_the_ai_passes_where_nothing_is_left_and_the_person_has_passed(ended: Any) -> None:
    done = ended("pass\nagree\nquit\n", 2)
    assert "AI passes: nothing is left that playing on would win." in done.stdout
    assert "AI won (white by" in done.stdout


def test_an_estimate_tells_the_side_and_how_sure_it_is(ended: Any) -> None:
    done = ended("estimate\nquit\n", 2)
    assert "Estimate: White +" in done.stdout
    assert "of 128 random games)." in done.stdout


def test_a_log_that_ends_with_two_passes_is_asked_about_again(ended: Any) -> None:
    ended("quit\n")
    done = CliRunner().invoke(cli, ["play", "--resume", "log.jsonl", "--simulations", "1"], input="agree\nquit\n")
    assert "Dead stones, which are taken off:" in done.stdout
    assert "AI won (white by" in done.stdout
