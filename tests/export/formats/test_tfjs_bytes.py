"""What azx writes as TF.js is what the functions of the `tensorflowjs` package make of the same graph.

Bit for bit, but for the sizes that TensorFlow's remapper notes (`_input_shapes`, which no reader looks at) and for the
last bits of constants that are made with reciprocal roots: azx rounds those exactly, TensorFlow's kernels as the
machine does. And as the remapper works with oneDNN: without it, it is another one.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import keras
import numpy as np
import pytest
import tensorflow as tf
import tf_keras
from sibling import sibling
from tensorflow.python.util import _pywrap_util_port

from azx.export.checkpoint.read import read_checkpoint
from azx.export.formats.table import FORMATS
from azx.export.formats.tfjs_operations import KNOWN
from azx.export.formats.tfjs_weights import SHARD_BYTES
from azx.export.graph.freeze import freeze, heads_of
from azx.export.graph.frozen import FrozenGraph
from azx.export.graph.traced import from_traced, trace

pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation doesn't accept a copy:DeprecationWarning")


networks, official = sibling(__file__, "tfjs_networks"), sibling(__file__, "tfjs_official")
needs_package = pytest.mark.skipif(
    not (official.INSTALLED and _pywrap_util_port.IsMklEnabled()),
    reason="the tensorflowjs package is not installed, or TensorFlow runs without oneDNN",
)
ALL_NETWORKS = networks.NETWORKS | networks.TRAPS | networks.ONLY_WRITTEN
SHIPPED = ("connect4", "dots_and_boxes", "go", "gomoku", "hex", "reversi", "tictactoe")
REAL = (
    "connect4_version0019.h5",
    "battlesnake_version0006.h5",
    "ataxx_botzero.h5",
    "tictactoe_two_inputs.h5",
    "connect4_zeta36/model_best_weight.h5",
)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def constants(data: dict[str, bytes]) -> dict[str, Any]:
    """The constants of a written network by their names."""
    shards = b"".join(data[name] for name in sorted(data) if name.endswith(".bin"))
    entries, at, found = json.loads(data["model.json"])["weightsManifest"][0]["weights"], 0, {}
    for entry in entries:
        size = int(np.prod(entry["shape"])) * np.dtype(entry["dtype"]).itemsize
        found[entry["name"]] = np.frombuffer(shards[at : at + size], entry["dtype"])
        at += size
    return found


def without_noted_sizes(model: bytes) -> Any:
    document = json.loads(model)
    for node in document["modelTopology"]["node"]:
        node.get("attr", {}).pop("_input_shapes", None)
    return document


def has_reciprocal_roots(frozen: FrozenGraph) -> bool:
    graph = tf.compat.v1.GraphDef.FromString(frozen.biasadd_graph_def)
    return any(node.op == "Rsqrt" or node.op.startswith("FusedBatchNorm") for node in graph.node)


def assert_official(frozen: FrozenGraph, folder: Path) -> dict[str, bytes]:
    """Write both ways and compare; what azx wrote."""
    FORMATS["tfjs"].write(frozen, folder / "azx")
    official.write(frozen, folder / "official")
    ours, theirs = files(folder / "azx"), files(folder / "official")
    assert list(ours) == list(theirs)
    assert without_noted_sizes(ours["model.json"]) == without_noted_sizes(theirs["model.json"])
    if not has_reciprocal_roots(frozen):
        assert [name for name in ours if name.endswith(".bin") and ours[name] != theirs[name]] == []
    else:
        for name, values in constants(theirs).items():
            # A shift is what is left of sums of such numbers: its last bits are those of the largest.
            most = 4 * np.finfo(np.float32).eps * np.abs(values).max(initial=1)
            np.testing.assert_allclose(constants(ours)[name], values, rtol=0, atol=most)
    return ours


def both_routes(path: Path, batch: int | None = 1, **how: Any) -> tuple[FrozenGraph, FrozenGraph]:
    """A checkpoint as azx exports it, and as it does where a layer has no canonical form."""
    graph = read_checkpoint(path, **how)
    traced = trace(graph, batch)
    heads = heads_of(graph, [head.shape for head in traced.outputs])
    return freeze(graph, batch=batch), from_traced(traced, heads, "asked for", keep_names=False)


def with_heads(library: Any, board: Any, x: Any) -> Any:
    flat = library.layers.Flatten()(x)
    policy = library.layers.Dense(7, name="policy")(flat)
    return library.Model(board, [policy, library.layers.Dense(1, "tanh", name="value")(flat)])


def tower(library: Any, kinds: Sequence[str], activations: Sequence[Any], *, bias: bool, norm: bool) -> Any:
    """A layer of each kind, with or without a batch norm, before each activation."""
    layers = library.layers
    board = layers.Input((6, 7, 4))
    x = layers.Flatten()(board) if "Dense" in kinds else board
    for kind, activation in itertools.product(kinds, activations):
        x = activation(layers)(layer(library, kind, x, bias=bias, norm=norm))
    return with_heads(library, board, x)


def residual(library: Any, kind: str) -> Any:
    """Sums with a skip that stands first or last; what is added has neither bias nor norm, a bias, a norm."""
    layers = library.layers
    board = layers.Input((6, 7, 4))
    x = layers.Flatten()(board) if kind == "Dense" else board
    for bias, norm in ((False, False), (True, False), (False, True)):
        x = layers.ReLU()(layers.Add()([x, layer(library, kind, x, bias=bias, norm=norm)]))
        x = layers.ReLU()(layers.Add()([layer(library, kind, x, bias=bias, norm=norm), x]))
    return with_heads(library, board, x)


def layer(library: Any, kind: str, x: Any, *, bias: bool, norm: bool) -> Any:
    size = {"Dense": (x.shape[-1],), "DepthwiseConv2D": (3,)}.get(kind, (4, 3))
    options: dict[str, Any] = {} if kind == "Dense" else {"padding": "same"}
    x = getattr(library.layers, kind)(*size, use_bias=bias, **options)(x)
    return library.layers.BatchNormalization()(x) if norm else x


def channels_first(library: Any) -> Any:
    layers, first = library.layers, {"data_format": "channels_first"}
    board = layers.Input((3, 6, 7))
    x = layers.Conv2D(4, 3, padding="same", use_bias=False, **first)(board)
    x = layers.LeakyReLU(0.3)(layers.BatchNormalization(axis=1)(x))
    return with_heads(library, board, layers.MaxPooling2D(2, **first)(layers.Conv2D(4, 4, padding="same", **first)(x)))


def two_inputs(library: Any) -> Any:
    layers = library.layers
    board, extra = layers.Input((6, 7, 3), name="board"), layers.Input((5,), name="extra")
    x = layers.Flatten()(layers.Conv2D(4, 3, activation="relu")(board))
    return with_heads(library, [board, extra], layers.Dense(16, "relu")(layers.Concatenate()([x, extra])))


def whole_numbers(library: Any) -> Any:
    board = library.layers.Input((9,), dtype="int32")
    return with_heads(library, board, library.layers.Embedding(3, 4)(board))


def three_shards(library: Any) -> Any:
    board = library.layers.Input((19, 19, 8))
    return with_heads(library, board, library.layers.Dense(800, "relu")(library.layers.Flatten()(board)))


def read_by_a_sum(library: Any) -> Any:
    layers = library.layers
    board = layers.Input((6, 7, 4))
    x = layers.Conv2D(4, 3, padding="same")(board)
    return with_heads(library, board, layers.Add()([layers.PReLU(shared_axes=[1, 2])(x), x]))


def used_twice(library: Any) -> Any:
    layers = library.layers
    board, conv = layers.Input((6, 7, 4)), layers.Conv2D(4, 3, padding="same", use_bias=False)
    norm, prelu = layers.BatchNormalization(), layers.PReLU(shared_axes=[1, 2])
    return with_heads(library, board, prelu(norm(conv(prelu(norm(conv(board)))))))


def of_many_kinds(library: Any) -> Any:
    layers = library.layers
    board = layers.Input((6, 7, 4))
    x = layers.Conv2D(6, 4, strides=2)(layers.ZeroPadding2D(1)(board))
    x = layers.Conv2DTranspose(3, 2, strides=2)(layers.UpSampling2D(2)(layers.LayerNormalization()(x)))
    gate = layers.Dense(3, "sigmoid")(layers.Dense(2, "relu")(layers.GlobalAveragePooling2D()(x)))
    x = layers.Multiply()([x, layers.Reshape((1, 1, 3))(gate)])
    return with_heads(library, board, layers.AveragePooling2D(2)(layers.Permute((3, 1, 2))(x)))


def plain(*names: str) -> list[Callable[[Any], Any]]:
    return [lambda layers, name=name: layers.Activation(name) for name in names]  # type: ignore[misc]


PRELUS = [
    lambda layers: layers.PReLU(shared_axes=[1, 2]),
    lambda layers: layers.PReLU(shared_axes=[1, 2, 3]),
    lambda layers: layers.PReLU(),
]
USUAL = [*plain("relu", "elu"), lambda layers: layers.ReLU(6.0), lambda layers: layers.LeakyReLU(0.3)]
OTHERS = plain("selu", "softplus", "softsign", "gelu", "swish", "hard_sigmoid", "tanh")
DEPTHWISE = ("SeparableConv2D", "DepthwiseConv2D")
MODELS: dict[str, Callable[[Any], Any]] = {
    "conv": lambda k: tower(k, ["Conv2D"], [*USUAL, *OTHERS], bias=True, norm=False),
    "conv, norm": lambda k: tower(k, ["Conv2D"], USUAL, bias=False, norm=True),
    "conv, bias, norm": lambda k: tower(k, ["Conv2D"], USUAL, bias=True, norm=True),
    "prelu": lambda k: tower(k, ["Conv2D"], PRELUS, bias=True, norm=False),
    "prelu, norm": lambda k: tower(k, ["Conv2D"], PRELUS, bias=False, norm=True),
    "depthwise": lambda k: tower(k, DEPTHWISE, USUAL, bias=True, norm=False),
    "depthwise without bias": lambda k: tower(k, DEPTHWISE, USUAL, bias=False, norm=False),
    "depthwise, norm": lambda k: tower(k, DEPTHWISE, USUAL, bias=False, norm=True),
    "depthwise, prelu": lambda k: tower(k, DEPTHWISE, PRELUS[:1], bias=True, norm=False),
    "depthwise, norm, prelu": lambda k: tower(k, DEPTHWISE, PRELUS[:1], bias=False, norm=True),
    "dense": lambda k: tower(k, ["Dense"], [*USUAL, *OTHERS], bias=True, norm=False),
    "dense, norm, prelu": lambda k: tower(k, ["Dense"], PRELUS[2:], bias=True, norm=True),
    "residual conv": lambda k: residual(k, "Conv2D"),
    "residual depthwise": lambda k: residual(k, "DepthwiseConv2D"),
    "residual dense": lambda k: residual(k, "Dense"),
    "channels first": channels_first,
    "two inputs": two_inputs,
    "whole numbers": whole_numbers,
    "read by a sum": read_by_a_sum,
    "used twice": used_twice,
    "many kinds": of_many_kinds,
}


def saved(model: Any, folder: Path, *, trained: bool) -> Path:
    """As the model begins, with many constants that are the same, or with weights as after training."""
    if trained:
        rng = np.random.default_rng(3)
        model.set_weights([rng.uniform(0.2, 0.6, np.shape(weight)) for weight in model.get_weights()])
    model.save(folder / "net.keras")
    return folder / "net.keras"


@needs_package
@pytest.mark.parametrize(
    "name",
    [name for name in ALL_NETWORKS if name not in (*networks.BEYOND_THE_CONVERTER, *networks.BEYOND_THE_REMAPPER)],
)
@pytest.mark.parametrize("batch", [1, None])
def test_a_graph_is_written_as_the_package_writes_it(name: str, batch: int | None, tmp_path: Path) -> None:
    assert_official(networks.frozen(ALL_NETWORKS[name], batch), tmp_path)


@needs_package
@pytest.mark.parametrize("name", networks.BEYOND_THE_CONVERTER)
def test_the_package_refuses_or_spoils_what_is_listed_as_such(name: str, tmp_path: Path) -> None:
    frozen = networks.frozen(networks.TRAPS[name])
    FORMATS["tfjs"].write(frozen, tmp_path / "azx")
    try:
        official.write(frozen, tmp_path / "official")
    except (ValueError, tf.errors.OpError):
        return
    assert files(tmp_path / "azx") != files(tmp_path / "official")


@pytest.mark.whole
@needs_package
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(
    ("library", "trained"),
    [(tf_keras, False), (keras, True)],
    ids=["tf_keras, new", "keras, trained"],
)
def test_a_keras_model_is_written_as_the_package_writes_it(
    library: Any, trained: bool, name: str, tmp_path: Path
) -> None:
    library.utils.set_random_seed(5)
    built, traced = both_routes(saved(MODELS[name](library), tmp_path, trained=trained))
    assert_official(built, tmp_path / "built")
    assert_official(traced, tmp_path / "traced")


@pytest.mark.whole
@needs_package
@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_checkpoint_is_written_as_the_package_writes_it(name: str, repository: Path, tmp_path: Path) -> None:
    built, traced = both_routes(repository / "mobile_assets" / "checkpoints" / f"{name}.h5")
    assert_official(built, tmp_path / "built")
    assert_official(traced, tmp_path / "traced")


@pytest.mark.whole
@needs_package
@pytest.mark.parametrize("name", REAL)
def test_a_real_checkpoint_is_written_as_the_package_writes_it(name: str, shared_data: Path, tmp_path: Path) -> None:
    config = (shared_data / name).with_name("model_best_config.json")
    how = {"config": config} if config.is_file() else {}
    built, traced = both_routes(shared_data / name, None, **how)
    assert_official(built, tmp_path / "built")
    assert_official(traced, tmp_path / "traced")


@needs_package
def test_shards_are_full_but_for_the_last(tmp_path: Path) -> None:
    model = three_shards(tf_keras)
    written = assert_official(freeze(read_checkpoint(saved(model, tmp_path, trained=False))), tmp_path)
    sizes = {name: len(data) for name, data in written.items() if name.endswith(".bin")}
    assert list(sizes) == [f"group1-shard{index}of3.bin" for index in (1, 2, 3)]
    assert list(sizes.values())[:2] == [SHARD_BYTES] * 2


@needs_package
def test_the_operations_are_those_of_the_package_without_decision_forests() -> None:
    assert official.operations() - KNOWN == {
        "SimpleMLCreateModelResource",
        "SimpleMLInferenceOpWithHandle",
        "SimpleMLLoadModelFromPathWithHandle",
    }
    assert official.operations() >= KNOWN
