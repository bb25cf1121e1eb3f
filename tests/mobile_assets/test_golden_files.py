from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from golden.bundles import EDITS, SCREENS, bad_bundles
from golden.files import FILES, FOLDER, OTHERS, text
from golden.levels import levels
from golden.playable import playable
from golden.records import records
from golden.review import review
from rings import few

from azx.bundle.contents import playable as playables
from azx.games.encoding import is_turned
from azx.games.known.catalogue import GAMES
from azx.games.records.reading import read
from azx.games.records.record import SGF_GAMES
from azx.games.state import Refusal, State, play_line
from azx.manifest import Problem
from azx.texts import has_text

# Of the six of a game: a clone is to stay small.
MOST_BYTES = 350_000
# Where each app keeps its games, by the app's folder: a game that it lacks is a defect.
APPS = {"android": "play/src/main", "ios": "Sources", "web": "src"}


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_six_files_and_they_are_small(game: str) -> None:
    sizes = {path.name: path.stat().st_size for path in (FOLDER / game).iterdir()}
    # These have tests of their own, beside the rules of scoring and the solver.
    assert set(sizes) - set(FILES) == {"go": {"scoring.json"}, "connect4": {"solved.json"}}.get(game, set())
    assert sum(sizes[name] for name in FILES) < MOST_BYTES


@pytest.mark.parametrize("game", few(GAMES, 2))
def test_the_files_of_a_game_are_those_that_the_script_writes(game: str) -> None:
    for name, write in FILES.items():
        content = text(write(GAMES[game]))
        assert (FOLDER / game / name).read_text(encoding="utf8") == content, f"{game}/{name}: run make fixtures"


@pytest.mark.parametrize("name", OTHERS)
def test_the_other_files_are_those_that_the_script_writes(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf8") == text(OTHERS[name]()), "run make fixtures"


def test_the_levels_are_of_games_that_go_on() -> None:
    assert {len(case["actions"]) > 4 for case in levels()["games"]} == {True}


def test_the_reviews_have_every_verdict() -> None:
    told = {move["verdict"] for case in review()["reviews"] if case["game"] for move in case["moves"]}
    assert told == {"good", "inaccuracy", "mistake", "blunder"}


def test_the_bundles_that_can_be_played_are_those_that_the_script_writes() -> None:
    told = [problem for case in playable()["cases"] for problem in case["problems"]]
    codes = set(re.findall(r'problem\("(\w+)"', Path(playables.__file__).read_text(encoding="utf8")))
    assert {problem["code"] for problem in told} == {*codes, "moonlight"}
    # Each code has a text, and as many places as that.
    for problem in told:
        clause = playables.clause_of(Problem(code=problem["code"], places=tuple(problem["places"])))
        assert problem["code"] in clause or has_text(f"problem_{problem['code']}")
        assert "%" not in clause


def test_the_bad_bundles_are_those_that_the_script_writes() -> None:
    cases = bad_bundles()["cases"]
    assert len({case["about"] for case in cases}) == len(cases) > 90
    assert {case["screen"] for case in cases} == set(SCREENS)
    assert {edit["do"] for case in cases for edit in case["edits"]} == EDITS.keys()
    keys = {str(case["key"]) for case in cases if case["key"]}
    assert len(keys) == 17
    for key in keys - {"error_load", "problem_no_artifact"}:  # of these each app has words of its own
        assert has_text(key), key
    assert any(case["key"] is None and case["edits"] for case in cases)


def test_the_records_are_those_that_the_script_writes() -> None:
    """The script itself fails where a bad text is read, or another sentence is told of it."""
    written = records()["written"]
    assert {case["game"] for case in written} == GAMES.keys()
    assert any(case["link"] is None for case in written)
    assert all((case["sgf"] is None) == (case["game"] not in SGF_GAMES) for case in written)


@pytest.mark.parametrize("case", records()["written"])
def test_what_is_written_of_a_game_is_read_as_that_game(case: dict[str, Any]) -> None:
    for form in ("line", "sgf", "link"):
        if case[form] is not None:
            record = read(case[form])
            states = record.states(GAMES[case["game"]].begin(record.settings))
            assert record.game == case["game"]
            assert [state.last_action for state in states[1:]] == case["actions"]
            # Settings that are not written are the usual ones.
            assert states == tuple(_replayed(case))


def _replayed(case: dict[str, Any]) -> Iterator[State]:
    state: State = GAMES[case["game"]].begin(case["settings"])
    yield state
    for action in case["actions"]:
        state = state.apply(action)
        yield state


def _loaded(game: str, name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((FOLDER / game / name).read_text(encoding="utf8"))
    return data


@pytest.mark.parametrize("game", GAMES)
def test_the_readings_use_every_member_and_a_board_that_is_not_empty(game: str) -> None:
    states = _loaded(game, "readings.json")["states"]
    assert {"flip", "transpose", "value"} <= {name for case in states for name in case["encoding"]}
    assert any("last" in case["encoding"]["planes"] and case["actions"] for case in states)
    if game in ("go", "gomoku"):
        assert "repeated" in {case["encoding"].get("history") for case in states}
    if game != "dots_and_boxes":
        assert any({"player0", "player1"} <= set(case["encoding"]["planes"]) for case in states)


def test_a_pass_is_no_last_move_on_the_board() -> None:
    passed = [case for case in _loaded("go", "readings.json")["states"] if case["actions"][-1:] == [81]]
    planes = [dict(zip(case["encoding"]["planes"], _planes(case), strict=True)) for case in passed]
    last = [shown["last"] for shown in planes if "last" in shown]
    assert len(last) == 3
    assert not any(plane.any() for plane in last)


def _planes(case: dict[str, Any]) -> Any:
    """The tensor of a case, planes first; a sum is one plane."""
    encoding, tensor = case["encoding"], np.array(case["tensor"])
    if encoding["layout"] == "channels_last":
        return np.moveaxis(tensor.reshape(case["shape"]), -1, 0)
    return tensor.reshape(len(encoding["planes"]), -1)


@pytest.mark.parametrize("game", GAMES)
def test_played_games_end_and_say_what_was_legal(game: str) -> None:
    ended = 0
    for played in _loaded(game, "playthrough.json")["games"]:
        ended += played["end"]["is_terminal"]
        for ply in played["plies"]:
            assert ply["legal"][ply["action"]] == "1"
    assert ended >= 3


def test_a_renju_game_meets_forbidden_points() -> None:
    games = [g for g in _loaded("gomoku", "playthrough.json")["games"] if g["settings"].get("rule") == "renju"]
    forbidden = sum(
        ply["board"][at] == "." and legal == "0"
        for g in games
        for ply in g["plies"]
        for at, legal in enumerate(ply["legal"])
    )
    assert forbidden >= 20


def test_a_go_game_meets_a_point_that_superko_forbids() -> None:
    game = _loaded("go", "playthrough.json")["games"][0]
    state = play_line(GAMES["go"].begin(), [ply["action"] for ply in game["plies"][:13]])
    assert game["plies"][13]["legal"][56] == "0"
    assert state.why_illegal(56) == Refusal("superko", 12)


@pytest.mark.parametrize("game", GAMES)
def test_the_reference_network_answers_as_recorded(game: str) -> None:
    from azx.play.network import open_network

    recorded = _loaded(game, "parity.json")
    states = [play_line(GAMES[game].begin(), row["actions"]) for row in recorded["states"]]
    with open_network(game) as network:
        answers, reading = network.evaluate(states), network.reading
    assert reading.encoding.as_data() == recorded["encoding"]
    for row, state, answer in zip(recorded["states"], states, answers, strict=True):
        assert answer.value == pytest.approx(row.get("value", 0.0), abs=recorded["tolerance"])
        assert answer.policy is not None
        # A pass that is forced has no output of its own in Reversi's network.
        outputs = reading.indices_by_turn[int(is_turned(state, reading.encoding))][: len(row["policy"])]
        policy = np.array(row["policy"])[outputs]
        np.testing.assert_allclose(answer.policy[: len(policy)], policy, atol=recorded["tolerance"])
        # On a symmetric board several moves are the best one, and the last bits of a runtime choose among them.
        chosen = answer.best(state.legal_actions())
        assert policy[chosen] >= policy[row["best"]] - recorded["tolerance"]


@pytest.mark.parametrize("app", APPS)
def test_every_app_that_is_there_has_every_game(app: str, repository: Path) -> None:
    source = repository / "apps" / app / APPS[app]
    if not source.is_dir():
        pytest.skip(f"apps/{app} is not there yet")
    names = {
        path.stem.lower().replace("_", "") for path in source.rglob("*") if path.suffix in (".kt", ".swift", ".ts")
    }
    assert {game.replace("_", "") for game in GAMES} <= names


def test_every_known_way_to_write_a_board_is_among_the_readings() -> None:
    for game in GAMES.values():
        written = [case["encoding"] for case in _loaded(game.name, "readings.json")["states"]]
        shape = game.shapes[0]
        for way in shape.conventions[1:]:
            assert way.encoding(shape.encodings[0]).as_data() in written
