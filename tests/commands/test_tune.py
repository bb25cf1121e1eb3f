"""`azx tune` with a stand-in for who plays a real bundle: what it finds, keeps, writes and leaves alone."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from click.testing import CliRunner, Result

from azx.bundle.contents.manifest import MANIFEST, digest_of_export, read_manifest
from azx.cli import cli
from azx.cluster import players as cluster_players
from azx.games.known.recognition import by_name
from azx.games.random_play import random_action
from azx.games.search_settings import Gumbel, SearchSettings, read_settings
from azx.games.state import State, play_line
from azx.match.candidates import CANDIDATES
from azx.match.games import Block, GameRecord, Rules
from azx.match.openings import openings
from azx.match.players import Facts, Net

Tune = Callable[..., Result]


class Decided:
    """Who plays tic-tac-toe as it is decided: a search wins of ten games so many as `WINS` says, whoever is against it.

    The moves are drawn until the game ends as decided. `played` counts the games.
    """

    WINS: ClassVar[dict[SearchSettings, int]] = {SearchSettings(Gumbel(16)): 9, SearchSettings(Gumbel(8)): 6}
    played = 0

    def __init__(self) -> None:
        self.stop_after = -1

    def describe(self, nets: Sequence[Net]) -> list[Facts]:
        game = by_name("tictactoe")
        found = []
        for net in nets:
            search = read_manifest(Path(net.net)).search
            own = read_settings(search.as_data() if search else None, net.net)
            found.append(Facts("net", "stand-in", game.name, {}, "", "as it lies", net.search or own))
        return found

    def play(self, nets: Sequence[Net], start: State, rules: Rules, to_play: Sequence[Block]) -> Iterator[GameRecord]:
        assert rules.proves
        wins = self.WINS.get(rules.searches[0], 3) if rules.searches else 3
        for block in to_play:
            for (number, line), one in product(block.openings, (0, 1)):
                if self.played == self.stop_after:
                    raise KeyboardInterrupt
                Decided.played += 1
                rng = np.random.default_rng([number, one, wins, rules.seed])
                result = (1 if rng.random() < wins / 10 else -1) * (1 - 2 * one)
                yield GameRecord(number, one, 1 - one, ended(play_line(start, line), line, result, rng), result)


def ended(state: State, line: tuple[int, ...], result: int, rng: np.random.Generator) -> tuple[int, ...]:
    """A game's moves that begin with `line`, which leads to `state`, and end with the result."""
    while True:
        reached, moves = state, list(line)
        while not reached.is_terminal:
            moves.append(random_action(reached, rng))
            reached = reached.apply(moves[-1])
        if reached.returns() == result:
            return tuple(moves)


@pytest.fixture
def tune(bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tune:
    """Runs `azx tune` on the bundle, in this process and in the test's folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")

    def run(*arguments: object, net: object = bundle, seats: Any = None) -> Result:
        monkeypatch.setattr(cluster_players, "players", lambda *chosen: nullcontext(seats or Decided()))
        return CliRunner().invoke(cli, ["tune", str(net), *map(str, arguments)])

    return run


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_better_search_is_confirmed_and_written_with_its_games(tune: Tune, bundle: Path) -> None:
    before, digest = files(bundle), digest_of_export(bundle)
    done = tune("--json", "--simulations", 40)
    assert done.exit_code == 0, done.output
    told, manifest = json.loads(done.stdout), json.loads((bundle / MANIFEST).read_text(encoding="utf8"))
    assert (told["confirmed"], told["written"], told["today"]) == (True, True, {"root": {"kind": "puct"}})
    assert manifest["search"] == manifest["tuned"]["search"] == told["best"] == SearchSettings(Gumbel(16)).as_data()
    tuned, confirming = manifest["tuned"], told["confirming"]
    assert tuned["elo"] == confirming["elo"]
    assert tuned["elo"]["low"] > 0
    assert (tuned["games"], tuned["simulations"], tuned["seed"]) == (200, 40, 1)
    assert tuned["won"] + tuned["lost"] == 200
    # Nothing else has changed.
    after = files(bundle)
    assert after.keys() == before.keys()
    assert [name for name in before if before[name] != after[name]] == [MANIFEST]
    assert {name: manifest[name] for name in manifest if name not in ("search", "tuned")} == json.loads(
        before[MANIFEST]
    )
    assert digest_of_export(bundle) == digest
    # From then on candidates play against that search.
    assert json.loads(tune("--json", "--dry-run").stdout)["today"] == told["best"]


def test_the_games_that_confirm_begin_where_no_candidate_began(tune: Tune) -> None:
    told = json.loads(tune("--json", "--dry-run").stdout)

    def positions(log: str) -> set[str]:
        """Where the games began: what the games of one opening have in common begins with its moves."""
        header, *games = (json.loads(line) for line in Path(log).read_text(encoding="utf8").splitlines())
        apart = played_apart if header["seed"] else ()
        drawn = openings(by_name("tictactoe").begin(), header["games"] // 2, (0, 3), header["seed"], apart)
        for game in games:
            assert tuple(game["moves"]).__repr__().startswith(repr(drawn.lines[game["opening"] - 1]).rstrip(",)"))
        return {play_line(by_name("tictactoe").begin(), line).board_text() for line in drawn.lines}

    played_apart: tuple[tuple[int, ...], ...] = openings(by_name("tictactoe").begin(), 80, (0, 3), 0).lines
    candidates = set[str]().union(*(positions(trial["log"]) for trial in told["tried"]))
    assert len(candidates) == 80
    assert not candidates & positions(told["confirming"]["log"])


def test_the_end_is_a_table_and_what_it_means(tune: Tune, bundle: Path) -> None:
    done = tune("--dry-run")
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0] == "Today's search: PUCT; 50 simulations for a move on both sides"
    rows = [line.split() for line in lines if line.startswith(" Gumbel")]
    assert [(row[1].strip(","), row[4].strip(",")) for row in rows][:2] == [("16", "0.1"), ("8", "0.1")]
    assert rows[0][-4:] == ["stronger", "in", "these", "games"]
    assert rows[-1][-4:] == ["not", "stronger", "by", "much"]
    assert "The best: Gumbel, 16 moves, scale 0.1. It was chosen by these games, so they flatter it." in lines
    assert any(line.startswith("On 100 other openings (seed 1): 1") for line in lines)
    assert re.search(
        r"is stronger\. It makes 9\d of 100 points against today's search, where equals make 50\.", done.stdout
    )
    assert lines[-1] == f"'{bundle}' is as it was (--dry-run)."
    assert "search" not in json.loads((bundle / MANIFEST).read_text(encoding="utf8"))


def test_where_nothing_is_better_nothing_is_changed(tune: Tune, bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Decided, "WINS", {})
    before = files(bundle)
    done = tune()
    assert done.exit_code == 0, done.output
    assert "No candidate looks stronger than today's search." in done.stdout
    assert done.stdout.splitlines()[-1] == f"'{bundle}' is as it was: nothing is confirmed."
    assert files(bundle) == before


def test_what_other_openings_do_not_confirm_is_not_written(tune: Tune, bundle: Path) -> None:
    class Lucky(Decided):
        """The candidates are lucky where they are chosen, and no better elsewhere."""

        def play(
            self, nets: Sequence[Net], start: State, rules: Rules, to_play: Sequence[Block]
        ) -> Iterator[GameRecord]:
            Lucky.WINS = dict.fromkeys(Decided.WINS, 5) if rules.seed else Decided.WINS
            yield from super().play(nets, start, rules, to_play)

    before = files(bundle)
    done = tune(seats=Lucky())
    assert done.exit_code == 0, done.output
    assert "Not confirmed: it makes " in done.stdout
    assert done.stdout.splitlines()[-1] == f"'{bundle}' is as it was: nothing is confirmed."
    assert files(bundle) == before


@pytest.mark.parametrize("games", [30, 300])
def test_what_was_stopped_goes_on_and_plays_nothing_twice(tune: Tune, games: int, monkeypatch: Any) -> None:
    whole = tune("--json", "--dry-run")
    shutil.rmtree("azx-matches")
    all_games, seats = Decided.played, Decided()
    monkeypatch.setattr(Decided, "played", 0)
    seats.stop_after = games
    done = tune("--json", "--dry-run", seats=seats)
    assert done.exit_code == 130
    assert "give the same command again to continue, the games are kept in 'azx-matches" in done.stderr
    kept = sum(len(log.read_bytes().splitlines()) - 1 for log in Path("azx-matches").iterdir())
    assert kept == games
    assert json.loads(tune("--json", "--dry-run").stdout) == json.loads(whole.stdout)
    assert Decided.played <= all_games
    assert json.loads(tune("--json").stdout)["written"]
    assert Decided.played <= all_games


def test_only_the_searches_that_are_named_are_tried(tune: Tune, tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text(json.dumps({"root": {"kind": "puct"}, "first_play": 0.5}))
    told = json.loads(tune("--json", "--dry-run", "--search", "gumbel", "--search", "mine.json").stdout)
    searches = [SearchSettings(Gumbel()), SearchSettings(first_play=0.5)]
    assert [trial["search"] for trial in told["tried"]] == [search.as_data() for search in searches]
    done = tune("--search", "other.json")
    assert done.exit_code == 1
    assert "there is no such file: give puct, gumbel, or a file as docs/search.md describes it." in done.stderr


def test_a_candidate_stops_early_if_the_bundle_does_and_its_move_is_the_one_visited_most(
    tune: Tune, bundle: Path
) -> None:
    manifest = json.loads((bundle / "manifest.json").read_text(encoding="utf8"))
    manifest["search"] = {"root": {"kind": "puct"}, "early_stop": True}
    (bundle / "manifest.json").write_text(json.dumps(manifest), encoding="utf8")
    done = tune("--games", 4, "--confirming", 4, "--json")
    tried = [each["search"] for each in json.loads(done.stdout)["tried"]]
    by_visits = [each["root"]["kind"] == "puct" and "lower_bound" not in each for each in tried]
    assert {True, False} == {*by_visits}
    assert [each.get("early_stop", False) for each in tried] == by_visits


def test_without_time_nothing_is_played_and_it_is_said(tune: Tune, bundle: Path) -> None:
    done = tune("--hours", "1e-9")
    assert done.exit_code == 0, done.output
    assert "Too few games for a result: Gumbel, 16 moves, scale 0.1; " in done.stdout
    assert "No candidate in the table looks stronger" in done.stdout


@pytest.mark.parametrize("net", ["nothing", "connect4"])
def test_what_is_no_bundle_is_one_sentence(tune: Tune, net: str) -> None:
    done = tune(net=net)
    assert done.exit_code == 1
    assert done.stderr == (
        f"Error: '{net}' is no bundle, and a search is recorded in a bundle's manifest: give the folder that azx "
        "export wrote, or export the checkpoint first.\n"
    )


def test_a_network_itself_plays_in_both_searches(bundle: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    options = ("--simulations", "4", "--games", "2", "--confirming", "2", "--workers", "1", "--json")
    done = CliRunner().invoke(cli, ["tune", str(bundle), *options])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert [trial["games"] for trial in told["tried"]] == [2] * (len(CANDIDATES) - 1)
    assert not told["written"]


def test_a_bundle_with_a_search_that_was_found_is_still_proved(
    tune: Tune, bundle: Path, run_in: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    assert tune().exit_code == 0
    done = run_in(bundle.parent, "validate", bundle, "--json")
    assert done.returncode == 0, done.stderr
    claims = json.loads(done.stdout)["claims"]
    assert {"search", "tuned"} <= {claim["member"] for claim in claims["not_provable"]}
