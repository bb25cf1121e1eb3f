"""What a manifest states of a value head and of a policy, and that such a network is proved as any other."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from azx import export_checkpoint, inspect_checkpoint, validate_bundle
from azx.bundle.contents.manifest import heads_in
from azx.errors import GameError, NotEqual
from azx.games.random_play import random_states
from azx.play.network import open_network

Save = Callable[[dict[str, tuple[int, str]]], Path]


@pytest.fixture
def save(tmp_path: Path, check: Any) -> Save:
    """Saves a network of a board of nine numbers with these heads: their names, widths and activations."""

    def saved(heads: dict[str, tuple[int, str]]) -> Path:
        import tf_keras
        from tf_keras import layers

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            board = layers.Input((9,), name="board")
            hidden = layers.Dense(4, activation="tanh")(board)
            outputs = [
                layers.Dense(width, activation=activation, name=name)(hidden)
                for name, (width, activation) in heads.items()
            ]
            return Path(check.save_h5(tf_keras.Model(board, outputs), tmp_path / "net.h5"))

    return saved


@pytest.mark.parametrize(
    ("head", "stated"),
    [
        ((3, "softmax"), {"value_range": "wdl"}),  # nobody said in which order
        ((1, "sigmoid"), {"value_range": "unit"}),
        ((2, "softmax"), {}),
    ],
)
def test_a_named_value_head_is_stated_and_proved(
    head: tuple[int, str], stated: dict[str, Any], save: Save, tmp_path: Path
) -> None:
    path = save({"end": head, "where": (7, "softmax")})
    done = export_checkpoint(path, output=tmp_path / "out", formats=("onnx",), value_head="end", count=20)
    value, policy = done.manifest["outputs"]
    assert (value["role"], value["source_name"], policy["role"]) == ("value", "end", "policy")
    assert {name: value[name] for name in ("value_range", "order") if name in value} == stated
    assert not {"value_range", "order"} & set(policy)
    assert validate_bundle(tmp_path / "out", against=path, count=20).proof
    assert validate_bundle(tmp_path / "out").proof


@pytest.mark.parametrize(("activation", "stated"), [("relu", "logits"), ("hard_sigmoid", "probabilities")])
def test_the_range_of_a_policy_is_stated_and_every_reader_takes_it(
    activation: str, stated: str, save: Save, tmp_path: Path
) -> None:
    path, folder = save({"value": (1, "tanh"), "policy": (9, activation)}), tmp_path / "out"
    done = export_checkpoint(path, output=folder, formats=("onnx",), count=200)
    entries = {entry["role"]: entry for entry in done.manifest["outputs"]}
    assert entries["policy"]["policy_range"] == stated
    assert "policy_range" not in entries["value"]
    assert heads_in(done.contents)[-1].policy_range == stated
    with open_network(folder) as network, open_network(path) as original:
        states = list(islice(random_states(network.reading.game, 1), 20))
        answers = [*network.evaluate(states), *original.evaluate(states)]
    assert {answer.logits for answer in answers} == {stated == "logits"}
    for against in (None, path):
        found = validate_bundle(folder, against=against)
        assert found.proof
        assert not found.claims.sentences


def test_a_range_that_is_not_the_activations_is_a_lie(save: Save, tmp_path: Path) -> None:
    path, folder = save({"value": (1, "tanh"), "policy": (9, "relu")}), tmp_path / "out"
    export_checkpoint(path, output=folder, formats=("onnx",), count=50)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf8"))
    policy = next(entry for entry in manifest["outputs"] if entry["role"] == "policy")
    policy["policy_range"] = "probabilities"
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf8")
    for against in (None, path):
        with pytest.raises(NotEqual, match=r"policy_range' is 'probabilities' and not 'logits'"):
            validate_bundle(folder, against=against)


@pytest.mark.parametrize(
    ("order", "said"),
    [
        (["win", "loss"], r"told\.json': 'value_order' is .* list win"),
        (["win", "draw", "loss"], r"net\.h5'.*told\.json': .* leave it out"),
    ],
)
def test_an_order_that_does_not_fit_is_refused(order: list[str], said: str, save: Save, tmp_path: Path) -> None:
    path, told = save({"value": (1, "tanh"), "policy": (9, "softmax")}), tmp_path / "told.json"
    described = {"game": "tictactoe", "layout": "flat", "board": [3, 3], "planes": ["signed"], "value_order": order}
    told.write_text(json.dumps(described), encoding="utf8")
    with pytest.raises(GameError, match=said):
        export_checkpoint(path, output=tmp_path / "out", formats=("onnx",), encoding=told, count=20)
    assert not (tmp_path / "out").exists()
    with pytest.raises(GameError, match=said):
        inspect_checkpoint(path, encoding=told)
