"""Which bundles an app can play, and why it cannot play the others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from azx.bundle.contents.manifest_model import read_part
from azx.bundle.contents.playable import in_words, problem, why_not
from azx.manifest import Manifest, Problem


@pytest.fixture(scope="module")
def manifest(small_bundle: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((small_bundle / "manifest.json").read_text())
    return found


def reasons(members: dict[str, Any]) -> list[Problem]:
    return why_not(read_part(Manifest, members))


def test_a_bundle_of_a_known_game_can_be_played(manifest: dict[str, Any]) -> None:
    assert reasons(manifest) == []


def test_each_reason_is_told(manifest: dict[str, Any]) -> None:
    unknown = dict.fromkeys(("game", "settings", "encoding", "actions"))
    assert reasons({**manifest, **unknown}) == [problem("no_game")]
    two = {**manifest, **unknown, "inputs": manifest["inputs"] * 2}
    assert in_words(reasons(two)) == (
        "it has no known game and its network has 2 inputs, and nothing says what each of them reads; "
        "its self-test runs"
    )
    assert reasons({**manifest, "game": "chess"}) == [problem("unknown_game", "chess")]
    assert reasons({**manifest, "encoding": None}) == [problem("no_encoding")]
    assert reasons({**manifest, "batch": 8}) == [Problem(code="batch", places=("8",))]
    assert "take 8 positions at a time" in in_words(reasons({**manifest, "batch": 8}))
    assert reasons({**manifest, "outputs": []}) == [problem("no_heads")]


def test_what_does_not_fit_the_game_is_told(manifest: dict[str, Any]) -> None:
    heads = [{**head, "shape": [5]} for head in manifest["outputs"]]
    (unreadable,) = reasons({**manifest, "outputs": heads})
    assert unreadable.code == "unreadable"
    assert "5 outputs do not number Connect4's actions" in unreadable.places[0]
    wide = [{**manifest["inputs"][0], "shape": [3, 6, 7]}]
    assert reasons({**manifest, "inputs": wide}) == [problem("size", 84, 126)]


def test_what_a_manifest_states_is_told_beside_it_and_once(manifest: dict[str, Any]) -> None:
    later, eight = problem("moonlight", "Connect4"), problem("batch", 8)
    assert reasons({**manifest, "problems": [later.as_data()]}) == [later]
    stated = {**manifest, "batch": 8, "problems": [eight.as_data(), later.as_data()]}
    assert reasons(stated) == [eight, later]
    assert in_words([later]) == "it gives a reason that this app does not know (moonlight); its self-test runs"


def test_an_export_states_the_problems(manifest: dict[str, Any]) -> None:
    assert manifest["problems"] == []
