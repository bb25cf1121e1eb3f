"""What a checkpoint does not tell is said to `azx play` and `azx match` as it is to `azx export`."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Azx = Callable[..., subprocess.CompletedProcess[str]]
HEADS = ("--value-head", "alpha", "--policy-head", "gamma")
QUICK = ("--simulations", 2, "--seed", 1)

BUILDER = """
def make():
    import tf_keras
    from tf_keras import layers
    board = layers.Input((6, 7, 2), name="main_input")
    flat = layers.Flatten()(board)
    heads = [layers.Dense(1, activation="tanh", name="value_head")(flat), layers.Dense(7, name="policy_head")(flat)]
    return tf_keras.Model(board, heads)
"""


@pytest.fixture(scope="module")
def unclear(check: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Connect4 network with two single units, of which neither's name says that it is the value."""
    from tf_keras import Model, layers

    board = layers.Input((6, 7, 2), name="board")
    flat = layers.Flatten()(board)
    units = [layers.Dense(1, "tanh", name=name)(flat) for name in ("alpha", "beta")]
    saved: Path = check.save_h5(
        Model(board, [*units, layers.Dense(7, "softmax", name="gamma")(flat)]),
        tmp_path_factory.mktemp("unclear") / "unclear.h5",
    )
    return saved


@pytest.mark.whole
def test_the_heads_of_a_checkpoint_are_said_to_play_and_match(unclear: Path, azx: Azx) -> None:
    shown = azx("inspect", unclear).stdout
    assert "Not known: what the number of 'alpha' means. --value-head NAME or --policy-head NAME says it." in shown
    assert "Assumed: 'gamma' is taken for the policy: 7 softmax numbers." in shown
    played = azx("play", unclear, *HEADS, *QUICK, input="resign\n")
    assert played.returncode == 0, played.stderr
    wrong = azx("play", unclear, "--value-head", "delta", *QUICK)
    assert "has no output 'delta' for --value-head: its outputs are 'alpha', 'beta', 'gamma'." in wrong.stderr
    games = ("--games", 2, "--simulations", 0, "--workers", 1)
    # Said of all checkpoints: the other network states it itself.
    match = azx("match", unclear, "connect4", "--value-head", f"{unclear}=alpha", "--policy-head", "gamma", *games)
    assert (match.returncode, "no output 'gamma' for --policy-head" in match.stderr) == (1, True)
    own = [word for option, name in zip(HEADS[::2], HEADS[1::2], strict=True) for word in (option, f"{unclear}={name}")]
    match = azx("match", unclear, "connect4", *own, *games, "--game", "connect4")
    assert match.returncode == 0, match.stderr


def test_what_an_artifact_states_is_not_said_again(azx: Azx, small_bundle: Path) -> None:
    refused = azx("play", small_bundle, "--value-head", "value_head", *QUICK)
    assert refused.returncode == 1
    assert refused.stderr.endswith("states itself which output is which: leave --value-head and --policy-head out.\n")


@pytest.mark.whole
def test_a_match_takes_a_builder_for_one_network(azx: Azx, tmp_path: Path) -> None:
    (tmp_path / "hand.py").write_text(BUILDER)
    made: dict[str, Any] = {}
    exec(BUILDER, made)  # noqa: S102 - the text above
    made["make"]().save_weights(str(tmp_path / "net.weights.h5"))
    games = ("--games", 2, "--simulations", 0, "--workers", 2)
    asked = azx("match", "net.weights.h5", "connect4", *games)
    assert (asked.returncode, "--builder" in asked.stderr) == (1, True)
    done = azx("match", "net.weights.h5", "connect4", "--builder", "net.weights.h5=hand:make", *games)
    assert done.returncode == 0, done.stderr


@pytest.mark.whole
def test_a_match_runs_the_code_of_the_network_that_is_trusted(check: Any, azx: Azx, tmp_path: Path) -> None:
    import tf_keras
    from tf_keras import layers

    board = layers.Input((6, 7, 2), name="main_input")
    flat = layers.Flatten()(layers.Lambda(lambda planes: planes * 2)(board))
    heads = [layers.Dense(1, activation="tanh", name="value_head")(flat), layers.Dense(7, name="policy_head")(flat)]
    check.save_h5(tf_keras.Model(board, heads), tmp_path / "net.h5")
    games = ("--games", 2, "--simulations", 0, "--workers", 1)
    refused = azx("match", "net.h5", "connect4", *games, "--allow-code", "connect4")
    assert (refused.returncode, "--allow-code" in refused.stderr) == (1, True)
    done = azx("match", "net.h5", "connect4", *games, "--allow-code", "net.h5")
    assert done.returncode == 0, done.stderr
