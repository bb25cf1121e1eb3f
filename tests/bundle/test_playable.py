"""Which bundles an app can play, and why it cannot play the others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from azx.bundle.playable import told, why_not


@pytest.fixture(scope="module")
def manifest(small_bundle: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((small_bundle / "manifest.json").read_text())
    return found


def test_a_bundle_of_a_known_game_can_be_played(manifest: dict[str, Any]) -> None:
    assert why_not(manifest) == []


def test_each_reason_is_told(manifest: dict[str, Any]) -> None:
    unknown = dict.fromkeys(("game", "settings", "encoding", "actions"))
    assert why_not({**manifest, **unknown}) == ["it has no known game"]
    two = {**manifest, **unknown, "inputs": manifest["inputs"] * 2}
    assert told(why_not(two)) == (
        "it has no known game and its network has 2 inputs, and the apps play those with one; its self-test runs"
    )
    assert why_not({**manifest, "game": "chess"}) == ["its game, 'chess', is none that the apps know"]
    assert why_not({**manifest, "encoding": None}) == ["what its network reads is not described"]
    assert "take 8 positions at a time" in why_not({**manifest, "batch": 8})[0]
    assert why_not({**manifest, "outputs": []}) == ["it has neither a policy nor a value"]


def test_what_does_not_fit_the_game_is_told(manifest: dict[str, Any]) -> None:
    heads = [{**head, "shape": [5]} for head in manifest["outputs"]]
    assert "5 outputs do not number Connect4's actions" in why_not({**manifest, "outputs": heads})[0]
    wide = [{**manifest["inputs"][0], "shape": [3, 6, 7]}]
    assert why_not({**manifest, "inputs": wide}) == ["its encoding makes 84 numbers and its network reads 126"]
