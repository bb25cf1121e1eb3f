"""What the golden files say of bundles that an app can play, and why it cannot play the others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from manifests import part_with

from azx.bundle.contents.playable import why_not
from azx.games.known.catalogue import GAMES
from azx.manifest import Manifest

UNKNOWN = dict.fromkeys(("game", "settings", "encoding", "actions"))


def playable() -> dict[str, Any]:
    """Manifests, those of their members that matter here, and the reasons of `azx.bundle.contents.playable.why_not`."""
    cases = [{"about": about, "manifest": members, "problems": _problems(members)} for about, members in _manifests()]
    return {"cases": cases}


def _problems(members: dict[str, Any]) -> list[dict[str, Any]]:
    return [problem.as_data() for problem in why_not(part_with(Manifest, members))]


def _manifests() -> Iterator[tuple[str, dict[str, Any]]]:
    game = GAMES["connect4"]
    usual: dict[str, Any] = {
        "game": "connect4",
        "settings": {},
        "encoding": game.encoding.as_data(),
        "actions": "column",
        "inputs": [_port("board", *game.encoding.shape)],
        "outputs": [_head("value", 1), _head("policy", 7)],
        "batch": 1,
    }
    value, policy = usual["outputs"]
    listed = [policy["shape"][0] - 1 - action % 7 for action in range(42)]
    small = {**GAMES["go"].encoding.as_data(), "board": [9, 9]}
    sized = {"game": "go", "settings": {"size": 13}, "encoding": small, "inputs": [_port("board", 9, 9, 17)]}
    yield "all is usual", usual
    yield "a free batch", {**usual, "batch": None}
    yield "a policy alone", {**usual, "outputs": [policy]}
    yield "a value alone", {**usual, "outputs": [value]}
    yield "actions as a list", {**usual, "actions": listed}
    yield "another output besides", {**usual, "outputs": [value, policy, {**_head("other", 5), "name": "score"}]}
    yield "no game", {**usual, **UNKNOWN}
    yield "a game of a later azx", {**usual, "game": "chess"}
    yield "no encoding", {**usual, "encoding": None}
    yield "two inputs", {**usual, "inputs": [*usual["inputs"], _port("extras", 4)]}
    yield "no game and two inputs", {**usual, **UNKNOWN, "inputs": [*usual["inputs"], _port("extras", 4)]}
    beside = {**usual, "encoding": {**usual["encoding"], "beside": {"planes": ["turn_player0"]}}}
    board, turn = usual["inputs"][0], _port("turn", 1)
    yield "who moves in a second input", {**beside, "inputs": [board, turn]}
    first = {**beside["encoding"], "beside": {"planes": ["player1_to_move"], "cells": 42, "first": True}}
    yield "who moves in a first input", {**beside, "encoding": first, "inputs": [_port("turn", 6, 7), board]}
    yield "the second input first", {**beside, "inputs": [turn, board]}
    yield "a second input of more numbers", {**beside, "inputs": [board, _port("extras", 4)]}
    yield "no second input", beside
    pieces = {**beside["encoding"], "beside": {"planes": ["mover"]}}
    yield "a second input of what it cannot read", {**beside, "encoding": pieces, "inputs": [board, turn]}
    none = {**beside["encoding"], "beside": {"planes": ["ones"], "cells": 5}}
    yield "a second input of as many numbers as no board has", {**beside, "encoding": none, "inputs": [board, turn]}
    yield "no head that says anything", {**usual, "outputs": [{**_head("other", 5), "name": "score"}]}
    yield "a batch of eight", {**usual, "batch": 8}
    yield "all at once", {**usual, **UNKNOWN, "inputs": [*usual["inputs"]] * 3, "outputs": [], "batch": 8}
    yield "a policy of another width", {**usual, "outputs": [value, _head("policy", 5)]}
    yield "a numbering that there is not", {**usual, "actions": "row"}
    yield "a list that is too short", {**usual, "actions": listed[1:]}
    yield "a plane that there is not", {**usual, "encoding": {**usual["encoding"], "planes": ["moon"]}}
    yield "a layout that there is not", {**usual, "encoding": {**usual["encoding"], "layout": "diagonal"}}
    yield "planes of another number", {**usual, "inputs": [_port("board", 3, 6, 7)]}
    yield "a setting that there is not", {**usual, "settings": {"size": 9}}
    later = {"code": "moonlight", "places": ["Connect4"]}
    yield "a problem that the manifest states", {**usual, "problems": [later]}
    yield "one that is stated and another", {**usual, "batch": 8, "problems": [later]}
    yield "the same one stated", {**usual, "batch": 8, "problems": [{"code": "batch", "places": ["8"]}]}
    gumbel = {"kind": "gumbel", "considered": 16, "c_visit": 50, "c_scale": 0.1}
    yield "another search", {**usual, "search": {"root": gumbel}}
    yield "a search of a later azx", {**usual, "search": {"root": {**gumbel, "kind": "thompson"}}}
    yield "a search out of its limits", {**usual, "search": {"root": {**gumbel, "considered": 0}}}
    yield "a search with more to it", {**usual, "batch": 8, "search": {"root": gumbel, "solver": True}}
    yield "a board of another size", {**usual, **sized, "outputs": [value]}


def _port(name: str, *shape: int) -> dict[str, Any]:
    return {"name": name, "shape": list(shape)}


def _head(role: str, width: int) -> dict[str, Any]:
    return {"name": role, "role": role, "activation": "tanh" if role == "value" else "linear", "shape": [width]}
