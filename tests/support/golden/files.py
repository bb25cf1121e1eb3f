"""Write the golden files that every engine is tested against: `make fixtures`.

Each game has six files in `mobile_assets/fixtures/<game>/`. The file playthrough.json has whole games, encoding.json
states and their tensors. The same tensors as other people's networks read them are in readings.json. Visit counts
with the hash evaluator are in search.json. Results that the rules prove, and searches that prove, are in proven.json.
The reference network's answers are in parity.json. Other files lie beside the games. Solved positions of Connect4 are
in connect4/solved.json, boards of Go in go/scoring.json. Answers of value heads are in values.json, those of policies
in policies.json. Searches with settings of a bundle are in searches.json. Moves played at each level are in
levels.json, the bundles that an app can play in playable.json. Texts that are records of games are in records.json,
reviews of games in review.json, panels of shown positions in panel.json. Deeds of two people, and positions that they
set up, are in people.json. What an app says of damaged bundles is in bad_bundles.json, and of TFLite models that it
must not run in tflite_models.json. What it says of an artifact's bytes is in calculations.json.
Their members are described in docs/fixtures.md. They depend on nothing but this code and the checkpoints: the same
bytes on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from azx.export.checkpoint.located import find_checkpoint
from azx.games.encoding import encode, is_turned
from azx.games.game import Game, Settings
from azx.games.known.catalogue import GAMES
from azx.games.rules import go, go_scoring
from azx.games.rules.dots_and_boxes import DotsAndBoxes
from azx.games.search import Search
from azx.games.state import State, play_line
from azx.games.tactics import forced_moves

from .bundles import bad_bundles
from .calculations import calculations
from .cases import (
    ENCODED,
    PLAYED,
    PROVEN,
    SCORED,
    SEARCHED,
    Played,
    Scored,
    Searched,
    actions_of,
    parity_plies,
    proven_plies,
    scored_actions,
)
from .hash_evaluator import HashEvaluator, tensor_hash, value_of, weight_of
from .levels import levels
from .panel import panels
from .people import people
from .playable import playable
from .readings import policies, readings, values
from .records import records
from .review import review
from .searches import searches
from .solved import solved
from .tflite_models import tflite_models

FOLDER = Path(__file__).parents[3] / "mobile_assets" / "fixtures"
MARKS = ".XO"
CONSTANT = 1.25
TOLERANCE = 1e-4
PROVEN_SIMULATIONS, PROVEN_MOVES = 50, 3


def board(state: State) -> str:
    """The pieces, one character a cell, row by row: X player 0, O player 1; in Dots and Boxes edges, then boxes."""
    if isinstance(state, DotsAndBoxes):
        drawn = "".join("01"[state.edges >> at & 1] for at in range(state.actions - 1))
        return drawn + " " + "".join(MARKS[0 if owner is None else owner + 1] for owner in state.owners)
    own, other = state.plane("mover").reshape(-1), state.plane("opponent").reshape(-1)
    first, second = (own, other) if state.to_move == 0 else (other, own)
    return "".join(MARKS[int(a + 2 * b)] for a, b in zip(first, second, strict=True))


def legal(state: State) -> str:
    """A character for each action: 1 if it is legal."""
    chosen = set(state.legal_actions())
    return "".join("01"[action in chosen] for action in range(state.actions))


def playthrough(game: Game) -> dict[str, Any]:
    """Whole games: what is legal, what the board looks like before each action and at the end, and the result."""
    return {"game": game.name, "games": [_play(game, case) for case in PLAYED[game.name]]}


def _play(game: Game, case: Played) -> dict[str, Any]:
    state, plies = game.begin(case.settings), []
    for action in actions_of(game, case):
        plies.append({"action": action, "legal": legal(state), "board": board(state)})
        state = state.apply(action)
    end = {"board": board(state), "is_terminal": state.is_terminal, "returns": int(state.returns())}
    return {"about": case.about, "settings": dict(case.settings), "plies": plies, "end": end}


def encoding(game: Game) -> dict[str, Any]:
    """States, given by the actions that lead to them, and the reference network's tensor, row by row."""
    cases = []
    for settings, actions in _reach_positions(game, ENCODED[game.name]):
        tensor = play_line(game.begin(settings), actions).encode()
        flat = [int(number) for number in tensor.reshape(-1)]
        case = {"settings": dict(settings), "actions": actions, "shape": list(tensor.shape), "tensor": flat}
        cases.append(case)
    return {"game": game.name, "encoding": game.encoding.as_data(), "states": cases}


def _reach_positions(game: Game, case: Sequence[tuple[int, int]]) -> Iterator[tuple[Settings, list[int]]]:
    """(settings, actions) of each (number of a played game, ply)."""
    for number, ply in case:
        played = PLAYED[game.name][number]
        yield played.settings, list(actions_of(game, played))[:ply]


def search(game: Game) -> dict[str, Any]:
    """Visit counts of the search with the hash evaluator, C = 1.25, the tree kept from move to move."""
    start = game.begin()
    hashed = tensor_hash(start)
    weights = {str(action): weight_of(hashed, action) for action in start.legal_actions()[:3]}
    worked = {"hash": hashed, "value": value_of(hashed), "weights": weights}
    cases = [_search(game, case) for case in SEARCHED[game.name]]
    return {"game": game.name, "c": CONSTANT, "first_state": worked, "cases": cases}


def _search(game: Game, case: Searched) -> dict[str, Any]:
    start = play_line(game.begin(case.settings), case.actions)
    search = Search(start, HashEvaluator(), constant=lambda visits: CONSTANT)
    moves = []
    for _ in range(case.moves):
        if search.state.is_terminal:
            break
        search.run(case.simulations)
        report = search.report()
        visits = {str(action): count for action, count in search.visits().items() if count}
        moves.append({"visits": visits, "depth": report.depth, "best": report.action})
        search.play(report.action)
    about = {"settings": dict(case.settings), "actions": list(case.actions), "simulations": case.simulations}
    return {**about, "moves": moves}


def proofs(game: Game) -> dict[str, Any]:
    """What the rules prove of positions, and searches that prove, with the hash evaluator and C = 1.25."""
    cases = [_prove(game, case, actions) for case in PROVEN[game.name] for actions in proven_plies(game, case)]
    return {"game": game.name, "c": CONSTANT, "cases": cases}


def _prove(game: Game, case: Played, actions: list[int]) -> dict[str, Any]:
    state = play_line(game.begin(case.settings), actions)
    search = Search(state, HashEvaluator(), constant=lambda visits: CONSTANT, proves=True)
    moves = []
    for _ in range(PROVEN_MOVES):
        state = search.state
        if state.is_terminal:
            break
        left, result = forced_moves(state)
        glance = left[0] if result is not None else HashEvaluator().evaluate((state,))[0].best(left)
        search.run(PROVEN_SIMULATIONS)
        report = search.report()
        moves.append(
            {
                "left": list(left) if len(left) < len(state.legal_actions()) else None,
                "result": result,
                "glance": glance,
                "simulations": report.simulations,
                "visits": {str(action): count for action, count in search.visits().items() if count},
                "proven": search.result,
                "best": report.action,
            }
        )
        search.play(report.action)
    about = {"settings": dict(case.settings), "actions": actions, "simulations": PROVEN_SIMULATIONS}
    return {**about, "moves": moves}


def scoring() -> dict[str, Any]:
    """Boards of Go: whose each point is in random playouts, which stones are dead by them, and the scores."""
    return {"game": "go", "cases": [_score(case) for case in SCORED]}


def _score(case: Scored) -> dict[str, Any]:
    settings, actions = {"size": len(case.rows.split())}, scored_actions(case)
    state = go.start(settings["size"])
    for action in actions:
        state = state.apply(action)
    found = go_scoring.estimate_ownership(state, case.playouts, case.seed)
    dead = go_scoring.dead_stones(state, found)
    seen = go_scoring.estimate(state, found)
    return {
        "about": case.about,
        "settings": settings,
        "actions": actions,
        "board": board(state),
        "playouts": case.playouts,
        "seed": case.seed,
        "black": list(found.black),
        "white": list(found.white),
        "leads": [list(pair) for pair in found.leads.items()],
        "dead": list(dead),
        "score": state.score(),
        "score_without": go_scoring.score_without(state, dead),
        "estimate": {
            "score": seen.score,
            "spread": seen.spread,
            "points": [seen.points, seen.points_of_spread],
            "percent": seen.percent,
            "certainty": seen.certainty,
        },
        "settled": go_scoring.is_settled(found),
        "may_pass": go_scoring.may_pass(state),
    }


def parity(game: Game) -> dict[str, Any]:
    """What the shipped network answers, computed in float64; every runtime must come within the tolerance."""
    from azx.bundle.case.detection import game_of
    from azx.export.checkpoint.head import POLICY, VALUE
    from azx.export.checkpoint.read import read_checkpoint
    from azx.export.graph.freeze import heads_of, try_simplify
    from azx.validate.witness.evaluate import evaluate

    graph = read_checkpoint(find_checkpoint(game.name))
    network = try_simplify(graph).network
    if network is None:
        raise RuntimeError(f"{game.name}: the shipped network is not canonical")
    recognised = heads_of(graph, [head.shape for head in network.outputs])
    heads = {head.role: head for head in recognised}
    reading = game_of(graph, recognised, game.name).reading
    if reading is None:
        raise RuntimeError(f"{game.name}: nothing says how the shipped network reads the board")
    cases = [(settings, actions) for settings, actions in parity_plies(game)]
    states = [play_line(game.begin(settings), actions) for settings, actions in cases]
    feeds = {graph.inputs[0].name: np.stack([encode(state, reading.encoding) for state in states])}
    answers = evaluate(graph, feeds)
    rows = []
    for at, (_, actions) in enumerate(cases):
        row: dict[str, Any] = {"actions": actions}
        if VALUE in heads:
            row["value"] = _round(answers[heads[VALUE].source_name][at].reshape(-1)[0])
        row["policy"] = [_round(number) for number in answers[heads[POLICY].source_name][at]]
        index = reading.indices_by_turn[int(is_turned(states[at], reading.encoding))]
        row["best"] = max(states[at].legal_actions(), key=lambda action: row["policy"][index[action]])
        rows.append(row)
    return {
        "game": game.name,
        "checkpoint_sha256": graph.source.sha256,
        "encoding": reading.encoding.as_data(),
        "policy_activation": heads[POLICY].activation,
        "tolerance": TOLERANCE,
        "states": rows,
    }


def _round(number: float) -> float:
    """Six decimals: what float64 says alike whatever the order of summation, and short enough to read."""
    return round(float(number), 6) + 0.0


def text(data: dict[str, Any]) -> str:
    """JSON with one line for each ply, state or case, so that a difference can be read."""
    lines = []
    for name, value in data.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            rows = ",\n".join("  " + _line(row) for row in value)
            lines.append(f' "{name}": [\n{rows}\n ]')
        else:
            lines.append(f' "{name}": {json.dumps(value)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _line(row: dict[str, Any]) -> str:
    plies = row.get("plies") or row.get("moves")
    key = "plies" if "plies" in row else "moves"
    if not plies:
        return json.dumps(row)
    rest = {name: value for name, value in row.items() if name != key}
    rows = ",\n".join("    " + json.dumps(ply) for ply in plies)
    return json.dumps(rest)[:-1] + f', "{key}": [\n{rows}]}}'


# What each game has in its own folder.
FILES: dict[str, Callable[[Game], dict[str, Any]]] = {
    "playthrough.json": playthrough,
    "encoding.json": encoding,
    "readings.json": readings,
    "search.json": search,
    "proven.json": proofs,
    "parity.json": parity,
}
OTHERS: dict[str, Callable[[], dict[str, Any]]] = {
    "go/scoring.json": scoring,
    "connect4/solved.json": solved,
    "values.json": values,
    "policies.json": policies,
    "searches.json": searches,
    "playable.json": playable,
    "levels.json": levels,
    "records.json": records,
    "bad_bundles.json": bad_bundles,
    "tflite_models.json": tflite_models,
    "review.json": review,
    "panel.json": panels,
    "people.json": partial(people, board),
    "calculations.json": calculations,
}


def main() -> None:
    """Write all fixtures; print each file's size."""
    written: dict[str, Callable[[], dict[str, Any]]] = dict(OTHERS)
    for game in GAMES.values():
        written |= {f"{game.name}/{name}": partial(write, game) for name, write in FILES.items()}
    for name, write in written.items():
        content = text(write())
        (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / name).write_text(content, encoding="utf8", newline="\n")
        print(f"{name}: {len(content) / 1000:.1f} kB")  # noqa: T201


if __name__ == "__main__":
    main()
