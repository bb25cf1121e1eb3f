"""A tournament of tic-tac-toe players: stopped and resumed, joined by one more, left by one that fails."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest

from azx.games.evaluator import Evaluation
from azx.games.known.recognition import by_name
from azx.games.state import State
from azx.games.tactics import forced_moves
from azx.match import tournament as tournaments
from azx.match.games import Block, GameRecord, Rules
from azx.match.log import LogError
from azx.match.players import LocalPlayers, Net, NetworkError, Networks
from azx.match.rating.league_ratings import rate_league
from azx.match.result import league_of
from azx.match.tournament import FEW, OPENINGS, Entrant, Tournament, TournamentResult, by_game, play, prepare

GAME = by_name("tictactoe")
PAIRS = 8


class Player:
    """Sees what wins and loses at once in a share of all positions, `skill`, and else plays anything."""

    def __init__(self, name: str, skill: float) -> None:
        self.name, self._skill, self.remembering = name, skill, nullcontext

    def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
        return [self._answer(state) for state in states]

    def _answer(self, state: State) -> Evaluation:
        rng = np.random.default_rng(zlib.crc32(f"{self.name} {state.to_move} {state.board_text()}".encode()))
        policy = rng.random(9)
        if rng.random() < self._skill:
            policy[list(forced_moves(state)[0])] += 1
        return Evaluation(0.0, policy)


class Players(LocalPlayers):
    """Plays in this process, network by network as `Networks` does; can be told to stop after so many games."""

    def __init__(self, skills: dict[str, float]) -> None:
        super().__init__(1)
        self.skills, self.broken, self.left = skills, "", 10**9
        self.played: list[tuple[str, str]] = []

    def play(self, nets: Sequence[Net], start: State, rules: Rules, to_play: Sequence[Block]) -> Iterator[GameRecord]:
        networks = Networks()
        networks.get = self._get  # type: ignore[method-assign, assignment]
        for block in to_play:
            for record in networks.play(nets, start, rules, block):
                if not self.left:
                    raise KeyboardInterrupt
                self.left -= 1
                self.played.append((nets[record.first].net, nets[record.second].net))
                yield record

    def _get(self, net: Net) -> Player:
        if net.net == self.broken:
            raise RuntimeError("the graph does not fit")
        return Player(net.net, self.skills[net.net])


def entrants(names: Sequence[str]) -> list[Entrant]:
    return [Entrant(Net(name), name, "none", GAME, {}, f"id of {name}") for name in names]


def skills(count: int) -> dict[str, float]:
    return {f"v{number}": 0.9 * number / count for number in range(1, count + 1)}


def begun(names: Sequence[str], pairs: int = PAIRS) -> Tournament:
    return prepare(entrants(names), Rules(simulations=0), pairs)


def named(played: TournamentResult) -> dict[tuple[int, str, str], tuple[int, ...]]:
    """The games by opening and players."""
    names = [entrant.name for entrant in played.entrants]
    return {(r.opening, names[r.first], names[r.second]): r.moves for r in played.records}


def test_a_few_play_all_against_all(tmp_path: Path) -> None:
    known = skills(4)
    players = Players(known)
    played = play(begun(list(known)), tmp_path, players)
    assert len(played.records) == played.new == 6 * 2 * PAIRS
    league = league_of(played.records, 4)
    assert (league.pair_counts + PAIRS * np.eye(4) == PAIRS).all()
    assert rate_league(league).leader == 3


def test_of_many_only_what_tells_most_is_played_and_the_best_is_found(tmp_path: Path) -> None:
    known = skills(FEW + 3)
    played = play(begun(list(known), 40), tmp_path, Players(known))
    assert len(played.records) < 36 * 2 * 40 / 3
    assert played.entrants[rate_league(league_of(played.records, len(known))).leader].name in ("v8", "v9")


@pytest.mark.parametrize("count", [4, FEW + 2])
def test_one_that_was_stopped_anywhere_ends_as_it_would_have(count: int, tmp_path: Path) -> None:
    known = skills(count)
    whole = play(begun(list(known)), tmp_path / "whole", Players(known))
    players = Players(known)
    for games in (1, 7, 0, 13, 30):
        players.left = games
        with pytest.raises(KeyboardInterrupt):
            play(begun(list(known)), tmp_path / "stopped", players)
        with next((tmp_path / "stopped").iterdir()).open("ab") as log:
            log.write(b'{"opening": 1, "fir')
    players.left = 10**9
    last = play(begun(list(known)), tmp_path / "stopped", players)
    assert named(last) == named(whole)
    # A block's games are played together: each time it was stopped, some of one were played again.
    assert len(players.played) <= whole.new + 5 * (2 * OPENINGS - 1)
    again = play(begun(list(known)), tmp_path / "stopped", players)
    assert (again.new, named(again)) == (0, named(whole))


@pytest.mark.parametrize("count", [3, FEW, FEW + 4])
def test_one_more_plays_only_its_own_games(count: int, tmp_path: Path) -> None:
    """Wherever its name stands among the others."""
    known = skills(count) | {"v0": 0.4}
    before = play(begun(list(skills(count))), tmp_path, Players(known))
    players = Players(known)
    after = play(begun(["v0", *skills(count)]), tmp_path, players)
    assert after.new == len(players.played) > 0
    assert all("v0" in pair for pair in players.played)
    assert named(before).items() <= named(after).items()
    assert len(after.records) == len(before.records) + after.new


def test_more_games_of_each_two_keep_those_that_there_are(tmp_path: Path) -> None:
    known = skills(3)
    play(begun(list(known), 4), tmp_path, Players(known))
    more = play(begun(list(known), 10), tmp_path, Players(known))
    assert (more.new, len(more.records)) == (3 * 2 * 6, 3 * 2 * 10)
    fewer = play(begun(list(known), 4), tmp_path, Players(known))
    assert (fewer.new, len(fewer.records)) == (0, 3 * 2 * 4)


def test_other_rules_are_another_log(tmp_path: Path) -> None:
    known = skills(2)
    for rules in (Rules(simulations=0), Rules(simulations=0, seed=1)):
        play(prepare(entrants(list(known)), rules, PAIRS), tmp_path, Players(known))
    assert len([path for path in tmp_path.iterdir() if path.suffix == ".jsonl"]) == 2


@pytest.mark.parametrize("count", [4, FEW + 2])
def test_one_that_fails_is_left_out_and_the_others_play_on(count: int, tmp_path: Path) -> None:
    known = skills(count)
    players = Players(known)
    players.broken = "v2"
    played = play(begun(list(known)), tmp_path, players)
    assert [entrant.name for entrant in played.entrants] == [name for name in known if name != "v2"]
    assert played.failed == {"id of v2": "'v2' does not run (RuntimeError: the graph does not fit)."}
    met = {name for pair in players.played for name in pair}
    assert met == set(known) - {"v2"}


def test_a_network_that_answers_no_number_is_the_one_that_fails(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    answer = Player._answer

    def diverged(self: Player, state: State) -> Evaluation:
        return Evaluation(float("nan")) if self.name == "v3" else answer(self, state)

    monkeypatch.setattr(Player, "_answer", diverged)
    for simulations in (0, 4):
        players = Players(skills(3))
        rules = Rules(simulations=simulations)
        played = play(prepare(entrants(["v1", "v2", "v3"]), rules, PAIRS), tmp_path, players)
        assert list(played.failed) == ["id of v3"]
        assert "answered a position with NaN or infinity" in played.failed["id of v3"]
        assert len(played.records) == 2 * PAIRS


def test_an_error_of_a_network_comes_whole_from_another_process() -> None:
    import pickle

    error = pickle.loads(pickle.dumps(NetworkError(3, "It does not run.")))  # noqa: S301 - of its own making
    assert (error.net, str(error)) == (3, "It does not run.")


def test_one_network_plays_nobody(tmp_path: Path) -> None:
    played = play(begun(["v1"]), tmp_path, Players({"v1": 0.5}))
    assert (played.records, played.new) == ((), 0)


def test_equal_networks_are_one_and_each_game_is_by_itself() -> None:
    one, two = entrants(["a", "b"])
    other = Entrant(Net("c"), "c", "none", by_name("connect4"), {}, "id of c")
    same = Entrant(Net("copy"), "copy", "none", GAME, {}, one.identity)
    assert by_game([one, other, same, two]) == [[one, two], [other]]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda line: {**line, "result": 1 - line["result"]}, "line 3 is no finished game"),
        (lambda line: {**line, "moves": line["moves"][::-1]}, "line 3 is no finished game"),
        (lambda line: {"wave": 3}, "line 3 is no finished game"),
        (lambda line: {"settled": ["id of v1"]}, "line 3 is no finished game"),
        (lambda line: 7, "line 3 is no finished game"),
    ],
)
def test_a_log_that_is_damaged_is_left_alone(change: object, sentence: str, tmp_path: Path) -> None:
    assert callable(change)
    known = skills(2)
    log = play(begun(list(known)), tmp_path, Players(known)).log
    lines = log.read_text().splitlines()
    lines[2] = json.dumps(change(json.loads(lines[2])))
    log.write_text("\n".join(lines) + "\n")
    before = log.read_bytes()
    with pytest.raises(LogError, match=sentence):
        play(begun(list(known)), tmp_path, Players(known))
    assert log.read_bytes() == before


def test_another_file_in_its_place_is_left_alone(tmp_path: Path) -> None:
    log = tmp_path / begun(["v1", "v2"]).file
    log.write_text("a letter\n")
    with pytest.raises(LogError, match="is no log of these matches"):
        play(begun(["v1", "v2"]), tmp_path, Players(skills(2)))
    assert log.read_text() == "a letter\n"


def test_pairs_are_made_whole_blocks() -> None:
    assert len(begun(["v1", "v2"], 5).lines) == 6
    assert tournaments.OPENINGS == OPENINGS == 2
