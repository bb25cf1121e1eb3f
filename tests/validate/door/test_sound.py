"""Nothing that azx writes is refused: every operation of its writers, traced layers, all precisions, real networks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rings import few
from sibling import sibling

from azx.errors import ConversionError
from azx.export.checkpoint.read import read_checkpoint
from azx.export.formats.precisions.calibration import Calibration
from azx.export.formats.precisions.precision import FP32, INT8
from azx.export.formats.table import FORMATS
from azx.export.graph.freeze import freeze
from azx.export.graph.frozen import FrozenGraph
from azx.export.graph.names import METADATA_NODE
from azx.play.network_ports import UNSAID
from azx.validate.door.look import look_at

# A converter that warns would be one that fails, and its artifact would not be looked at.
pytestmark = pytest.mark.filterwarnings("ignore")
FIRST = ("pb", "tflite", "onnx", "tfjs")
networks = sibling(str(Path(__file__).parents[2] / "export" / "formats" / "here.py"), "tfjs_networks")
NETWORKS = networks.NETWORKS | networks.TRAPS | networks.ONLY_WRITTEN
CHECKPOINTS = (
    "ttt_manuel.h5",
    "connect4_version0019.h5",
    "battlesnake_version0006.h5",
    "tictactoe_two_inputs.h5",
    "ataxx_botzero.h5",
    "c4_iasi_nnplayer.h5",
    "ttt_betazero.h5",
    "cases/m_conv1d.h5",
    "cases/s_dueling.h5",
    "cases/q_two_chances.h5",
    "cases/r_three_styles.h5",
    "cases/ttt_levidyrek.h5",
    "cases/ttt_salendron.h5",
)


def in_turn(names: Iterable[str]) -> list[tuple[str, int | None]]:
    """Each name with a fixed batch or a free one, in turn: their operations are nearly the same."""
    return [(name, None if at % 2 else 1) for at, name in enumerate(names)]


def looked_at(frozen: FrozenGraph, folder: Path, formats: tuple[str, ...], **options: Any) -> int:
    """Write the graph in every format and precision that can be, and look at each; how many there were."""
    count = 0
    for name in formats:
        for precision in FORMATS[name].precisions:
            path = folder / FORMATS[name].path("net", precision)
            if precision == INT8 and "calibration" not in options:
                continue
            try:
                FORMATS[name].write(frozen, path, precision=precision, **options)
            except ConversionError:
                assert (name, precision) != ("pb", FP32)  # other converters lack some operations
                continue
            look_at(name, path)
            count += 1
    return count


@pytest.mark.parametrize(("name", "batch"), few(in_turn(NETWORKS)))
def test_every_operation_of_the_writers_goes_through(name: str, batch: int | None, tmp_path: Path) -> None:
    assert looked_at(without_metadata(networks.frozen(NETWORKS[name], batch)), tmp_path, FIRST) >= 2


def without_metadata(frozen: FrozenGraph) -> FrozenGraph:
    """The graph as `freeze` leaves it: the writer of a .pb adds the metadata, and two nodes of a name are refused."""
    from tensorflow.core.framework.graph_pb2 import GraphDef

    graph = GraphDef.FromString(frozen.graph_def)
    kept = [node for node in graph.node if node.name != METADATA_NODE]
    del graph.node[:]
    graph.node.extend(kept)
    return replace(frozen, graph_def=graph.SerializeToString(deterministic=True))


@pytest.mark.parametrize("file", few(CHECKPOINTS))
def test_real_networks_go_through(file: str, shared_data: Path, tmp_path: Path) -> None:
    frozen = freeze(read_checkpoint(shared_data / file), UNSAID, batch=1)
    assert looked_at(frozen, tmp_path, (*FIRST, "coreml")) >= 2


def test_every_precision_of_a_shipped_network_goes_through(repository: Path, tmp_path: Path) -> None:
    import numpy as np

    frozen = freeze(read_checkpoint(repository / "mobile_assets/checkpoints/dots_and_boxes.h5"), UNSAID, batch=1)
    shapes = {port.name: (32, *(size or 1 for size in port.shape[1:])) for port in frozen.inputs}
    rng = np.random.default_rng(1)
    boards = {name: rng.integers(0, 2, shape).astype(np.float32) for name, shape in shapes.items()}
    calibration = Calibration(boards, "of the test")
    written = sum(len(FORMATS[name].precisions) for name in FIRST)
    assert looked_at(frozen, tmp_path, FIRST, calibration=calibration) == written


def layer(make: Callable[[Any], Any]) -> Callable[[], Any]:
    """A model of one layer, which azx may have no form of its own for."""

    def build() -> Any:
        import keras

        keras.utils.set_random_seed(3)
        keras.backend.clear_session()
        board = keras.layers.Input((6, 7, 3), name="main_input")
        x = keras.layers.Flatten()(make(board))
        value = keras.layers.Dense(1, activation="tanh", name="value_head")(x)
        return keras.Model(board, [value, keras.layers.Dense(7, name="policy_head")(x)])

    return build


def of(kind: str, *arguments: Any, shape: tuple[int, ...] = (), **options: Any) -> Callable[[], Any]:
    """A model of a Keras layer by its name, on the board or on another shape of it."""

    def make(board: Any) -> Any:
        from keras import layers

        x = layers.Reshape(shape)(board) if shape else board
        return getattr(layers, kind)(*arguments, **options)(x)

    return layer(make)


def op(name: str, *arguments: Any, **options: Any) -> Callable[[], Any]:
    """A model of an operation of keras.ops."""

    def make(board: Any) -> Any:
        import keras

        return getattr(keras.ops, name)(board, *arguments, **options)

    return layer(make)


LAYERS: dict[str, Callable[[], Any]] = {
    "Conv1D": of("Conv1D", 4, 3, padding="same", shape=(42, 3)),
    "GRU": of("GRU", 5, unroll=True, shape=(6, 21)),
    "LSTM": of("LSTM", 5, unroll=True, return_sequences=True, shape=(6, 21)),
    "Conv1DTranspose": of("Conv1DTranspose", 4, 3, padding="same", shape=(42, 3)),
    "Conv2DTranspose": of("Conv2DTranspose", 4, 3, strides=2, padding="same"),
    "Conv3D": of("Conv3D", 2, 3, padding="same", shape=(6, 7, 3, 1)),
    "groups": of("Conv2D", 6, 3, groups=3, padding="same"),
    "LayerNormalization": of("LayerNormalization"),
    "GroupNormalization": of("GroupNormalization", 3),
    "RMSNormalization": of("RMSNormalization"),
    "UpSampling2D": of("UpSampling2D", 2),
    "bilinear": of("UpSampling2D", 2, interpolation="bilinear"),
    "Resizing": of("Resizing", 9, 9),
    "CenterCrop": of("CenterCrop", 4, 4),
    "RepeatVector": of("RepeatVector", 4, shape=(126,)),
    "EinsumDense": of("EinsumDense", "abcd,de->abce", output_shape=(6, 7, 5)),
    "GaussianNoise": of("GaussianNoise", 0.1),
    "Discretization": of("Discretization", bin_boundaries=[0.0, 0.5, 1.0]),
    "MaxPooling3D": of("MaxPooling3D", 2, shape=(6, 7, 3, 1)),
    "Masking": of("Masking", shape=(42, 3)),
    "top_k": layer(lambda board: __import__("keras").ops.top_k(board, 2)[0]),
    "rfft": layer(lambda board: __import__("keras").ops.rfft(board)[0]),
    "one_hot": layer(lambda board: __import__("keras").ops.one_hot(__import__("keras").ops.cast(board, "int32"), 3)),
    "sort": op("sort"),
    "cumsum": op("cumsum", axis=1),
    "roll": op("roll", 1, axis=1),
    "flip": op("flip", axis=1),
    "pad": op("pad", [[0, 0], [1, 1], [2, 2], [0, 0]]),
    "tile": op("tile", [1, 2, 1, 1]),
    "take": op("take", [0, 2], axis=1),
    "tril": op("tril"),
    "logsumexp": op("logsumexp", axis=1),
    "std": op("std", axis=1),
    "erfinv": op("erfinv"),
    "mod": op("mod", 0.7),
    "repeat": op("repeat", 2, axis=1),
}


@pytest.mark.parametrize(("name", "batch"), few(in_turn(LAYERS)))
def test_what_tracing_a_layer_leaves_goes_through(name: str, batch: int | None, tmp_path: Path) -> None:
    LAYERS[name]().save(tmp_path / "net.keras")
    frozen = freeze(read_checkpoint(tmp_path / "net.keras"), UNSAID, batch=batch)
    assert looked_at(frozen, tmp_path, FIRST) >= 1


def test_the_shipped_bundles_go_through(repository: Path) -> None:
    from azx.bundle.contents.manifest import load_manifest

    folders = sorted(path.parent for path in (repository / "build" / "bundles").glob("*/manifest.json"))
    if not folders:
        pytest.skip("there are no shipped bundles here: `make bundles` makes them")
    for folder in folders:
        for artifact in load_manifest(folder).artifacts:
            look_at(artifact.format, folder / artifact.path)


def test_a_node_may_name_the_processor_as_the_official_converter_leaves_it(tmp_path: Path) -> None:
    frozen = without_metadata(networks.frozen(next(iter(NETWORKS.values())), 1))
    path = tmp_path / FORMATS["tfjs"].path("net", FP32)
    FORMATS["tfjs"].write(frozen, path, precision=FP32)
    model = json.loads((path / "model.json").read_text())
    for node in model["modelTopology"]["node"]:
        node["device"] = "/device:CPU:0"
    (path / "model.json").write_text(json.dumps(model))
    look_at("tfjs", path)
