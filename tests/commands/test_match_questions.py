"""`azx match --gate` and `--best`: only the games that the question needs, and the same ones whoever plays them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from azx.bundle.case.checkpoint import Checkpoint
from azx.cli import cli
from azx.games.evaluator import Evaluation
from azx.games.known.recognition import by_name
from azx.games.search_settings import USUAL
from azx.games.state import State
from azx.match import players as match_workers

Match = Callable[..., Result]


class StandIn:
    """Plays tic-tac-toe by chance, but in a share of the positions as perfect play would: its name, in percent."""

    def __init__(self, name: str) -> None:
        from azx.games.game import Reading

        game = by_name("tictactoe")
        self.name, self.runtime, self.value, self.search = name, "stand-in", None, USUAL
        self.reading = Reading(game, game.encoding, None, {})
        self.share = int(name.strip("n")) / 100
        self.remembering = nullcontext

    def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
        return [Evaluation(0.0, self._priors(state)) for state in states]

    def _priors(self, state: State) -> Any:
        # By the position alone, so that a game is the same whenever it is played.
        rng = np.random.default_rng([*map(int, np.ravel(state.board) + 3), round(100 * self.share)])
        priors = rng.random(9)
        if rng.random() < self.share:
            priors[best(state)] = 10.0
        return priors


def best(state: State) -> int:
    return max(state.legal_actions(), key=lambda action: -value(state.apply(action)))


def value(state: State) -> float:
    if state.is_terminal:
        return state.returns() * (1 if state.to_move == 0 else -1)
    return max(-value(state.apply(action)) for action in state.legal_actions())


@pytest.fixture
def match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Match:
    """Runs `azx match` in this process, with networks called n0 to n100 by how well they play."""

    @contextmanager
    def opened(net: Checkpoint, **options: Any) -> Any:
        yield StandIn(str(net.place))

    monkeypatch.setattr(match_workers, "open_network", opened)
    monkeypatch.chdir(tmp_path)
    for share in range(0, 101, 10):
        Path(f"n{share}").write_text("a stand-in")

    def run(*arguments: object, log: str = "log.jsonl") -> Result:
        options = ["--simulations", "0", "--workers", "1", "--opening-plies", "2-3", "--log", log]
        return CliRunner().invoke(cli, ["match", *map(str, arguments), *options])

    return run


def told(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_a_gate_ends_the_match_as_soon_as_the_games_tell(match: Match) -> None:
    found = told(match("n100", "n0", "--games", 400, "--gate", "0,40", "--json"))
    gate = found["gate"]
    assert gate["passed"] is True
    assert gate["log_likelihood_ratio"] >= gate["bounds"][1]
    assert gate["pairs"] < 100
    # The games by which it was told, and no others, are the result.
    assert found["pairings"][0]["pairs"] == gate["pairs"]
    assert told(match("n0", "n100", "--games", 400, "--gate", "0,40", "--json", log="other"))["gate"]["passed"] is False


def test_a_gate_that_the_games_do_not_tell_is_undecided_and_goes_on_with_more(match: Match) -> None:
    done = match("n50", "n50", "--games", 40, "--gate", "0,5")
    assert "Gate: n50 (1) is undecided at +0 to +5 Elo, after 20 pairs of games" in done.stdout


def test_a_gated_match_is_the_beginning_of_the_whole_one(match: Match) -> None:
    """The same games with and without a gate: a log serves both."""
    gated = told(match("n80", "n20", "--games", 200, "--gate", "0,60", "--json"))
    whole = told(match("n80", "n20", "--games", 200, "--json"))
    assert 0 < gated["gate"]["pairs"] < whole["pairings"][0]["pairs"]
    assert whole["resumed_games"] >= 2 * gated["gate"]["pairs"]
    again = told(match("n80", "n20", "--games", 200, "--gate", "0,60", "--json"))
    assert again["gate"] == gated["gate"]
    assert again["pairings"] == gated["pairings"]


def test_the_best_of_several_is_found_with_few_games_and_the_same_ones_after_a_stop(match: Match) -> None:
    nets = ("n0", "n20", "n100", "n40", "n60")
    found = told(match(*nets, "--games", 160, "--best", "--json"))
    best = found["best"]
    assert (best["net"], best["found"]) == ("n100", True)
    assert best["doubt"] <= 0.05
    assert best["superiority"]["n100"] == 0.5
    assert all(chance > 0.95 for net, chance in best["superiority"].items() if net != "n100")
    assert best["pairs"] <= 10 * 80 / 2
    assert found["ratings"][0]["net"] == "n100"
    # Stopped in the midst of a game's line: the same games follow.
    log = Path("log.jsonl").read_bytes()
    Path("log.jsonl").write_bytes(log[: len(log) // 2])
    assert told(match(*nets, "--games", 160, "--best", "--json"))["best"] == best
    assert sorted(Path("log.jsonl").read_bytes().splitlines()) == sorted(log.splitlines())


def test_the_table_says_who_is_best_and_that_some_did_not_meet(match: Match) -> None:
    said = match("n0", "n100", "n10", "--games", 40, "--best").stdout
    assert "Best: n100, after " in said
    assert "with one drawn game added to each network, against the mean" in said


def test_equals_are_not_told_apart_and_no_game_is_left(match: Match) -> None:
    done = match("n100", "n100", "n100", "--games", 8, "--best")
    assert done.exit_code == 0, done.output
    assert "Best: not known yet, n100 (1) leads" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("n0", "n10", "n20", "--gate", "0,10"), "--gate is for a match of two networks"),
        (("n0", "n10", "--gate", "0,10", "--best"), "--gate is for a match of two networks"),
        (("n0", "n10", "--gate", "10"), "'10' is no gate: give two leads in Elo points as 0,20."),
        (("n0", "n10", "--gate", "10,0"), "a gate's limits are two leads in Elo points"),
    ],
)
def test_a_question_that_cannot_be_asked_is_wrong_usage(arguments: Sequence[str], sentence: str, match: Match) -> None:
    done = match(*arguments)
    assert done.exit_code == 2
    assert sentence in done.stderr
