"""A stranger's network of Go's 17 planes, which does not tell their order: converted, not guessed at, and asked for."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from azx.export.formats.table import FORMATS

Azx = Callable[..., subprocess.CompletedProcess[str]]
ASKED = "say --encoding go-mover-first or go-interleaved or another of docs/readings.md"
NOTE = "its shapes are Go's, but the order of its planes is not known"


@pytest.fixture(scope="module")
def stranger(check: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Untrained, so that no order of the planes is better than another."""
    from tf_keras import Model, layers

    board = layers.Input((9, 9, 17), name="board")
    flat = layers.Flatten()(layers.Conv2D(4, 3, padding="same", activation="relu")(board))
    heads = [layers.Dense(1, "tanh", name="value_head")(flat), layers.Dense(82, name="policy_head")(flat)]
    saved: Path = check.save_h5(Model(board, heads), tmp_path_factory.mktemp("stranger") / "stranger.h5")
    return saved


def test_it_is_converted_as_a_network_of_no_known_game(stranger: Path, azx: Azx, tmp_path: Path) -> None:
    shown = azx("inspect", stranger)
    line = next(line for line in shown.stdout.splitlines() if "Not known: " in line)
    assert line == f"  Not known: {NOTE}: {ASKED}."
    done = azx("export", stranger, "--format", "onnx", "-o", tmp_path / "b", "--positions", 40)
    assert done.returncode == 0, done.stderr
    assert f"  Not known: {NOTE}" in done.stdout
    manifest = json.loads((tmp_path / "b" / "manifest.json").read_text())
    assert [manifest[name] for name in ("game", "settings", "encoding", "actions")] == [None] * 4
    named = azx("inspect", stranger, "--game", "go", "--json")
    assert json.loads(named.stdout)["encoding"] is None


@pytest.mark.whole
def test_it_is_not_played_before_its_order_is_said(stranger: Path, azx: Azx) -> None:
    for command in (("play", stranger), ("play", stranger, "--game", "go"), ("match", stranger, "go", "--workers", 1)):
        asked = azx(*command)
        assert (asked.returncode, asked.stdout) == (1, "")
        said = asked.stderr.splitlines()[-1]
        assert f"{stranger}': {NOTE}" in said
        assert said.endswith(f"{ASKED}.")


@pytest.mark.whole
def test_the_name_of_an_order_says_it_everywhere(stranger: Path, azx: Azx, tmp_path: Path) -> None:
    name = ("--encoding", "go-interleaved")
    line = "input: mover, opponent, ... player0_to_move (channels_last)"
    assert f"  {line}\n" in azx("inspect", stranger, *name).stdout
    done = azx("export", stranger, *name, "--format", "onnx", "-o", tmp_path / "b", "--positions", 40)
    assert done.returncode == 0, done.stderr
    assert "40 distinct legal positions of Go" in done.stdout
    manifest = json.loads((tmp_path / "b" / "manifest.json").read_text())
    assert (manifest["game"], manifest["encoding"]["planes"][1]) == ("go", "opponent")
    # An artifact on its own says it too.
    alone = tmp_path / "alone.onnx"
    alone.write_bytes((tmp_path / "b" / "stranger.onnx").read_bytes())
    assert f"Its {line}." in azx("play", alone, "--simulations", 2, input="resign\n").stdout
    games = ("--games", 2, "--simulations", 0, "--workers", 1)
    match = azx("match", stranger, alone, "--encoding", f"{stranger}=go-interleaved", *games)
    assert (match.returncode, match.stdout.count(line)) == (0, 2), match.stderr


def test_the_name_of_an_order_is_held_to_the_shapes(checkpoint: Path, azx: Azx, check: Any) -> None:
    assert "Go networks take (9, 9, 17) or" in check.sentence(
        azx("inspect", checkpoint, "--encoding", "go-interleaved")
    )
    said = check.sentence(azx("inspect", checkpoint, "--encoding", "go-intereaved"))
    assert "cannot be read as go-intereaved: describe it with --encoding FILE.json." in said
    both = check.sentence(azx("inspect", checkpoint, "--encoding", "connect4-top-first", "--game", "go"))
    assert "'connect4-top-first' describes connect4, not go" in both


def test_the_shipped_network_s_artifacts_say_nothing_that_their_shapes_tell(azx: Azx, tmp_path: Path) -> None:
    """Their bytes are what they were, and on their own they are read as they were."""
    done = azx("export", "go", "--format", "onnx", "-o", tmp_path / "b", "--positions", 20)
    assert done.returncode == 0, done.stderr
    assert "Certain: the network that azx ships." in done.stdout
    alone = tmp_path / "alone.onnx"
    alone.write_bytes((tmp_path / "b" / "go.onnx").read_bytes())
    assert "reading" not in FORMATS["onnx"].metadata(alone)
    played = azx("play", alone, "--simulations", 2, input="resign\n")
    assert "Its input: mover, mover@1, ... player0_to_move (channels_last)" in played.stdout
