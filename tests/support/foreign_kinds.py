"""A small network in each kind of file of another framework, and how azx is told to see its board."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray
from onnx_models import conv_net
from torch_files import torch_zip
from torch_layers import drawn

Values = NDArray[Any]
TICTACTOE = {"game": "tictactoe", "board": [3, 3], "planes": ["mover", "opponent"], "actions": "cell"}
OTHELLO = {"game": "reversi", "settings": {"size": 6}, "layout": "sum", "board": [6, 6]}
OTHELLO |= {"planes": ["signed"], "actions": "cell_and_pass"}


@dataclass(frozen=True)
class Kind:
    """How a file is made in an empty folder, and the options that it needs.

    `write` gives the path that a person types; `seen` is what an --encoding file says, a name of `azx games`, or None
    if azx knows it: drawn weights show nothing.
    """

    write: Callable[[Path], Path]
    seen: Mapping[str, Any] | str | None = None
    options: Sequence[str] = ()
    needs: str = ""

    def told(self, folder: Path) -> tuple[str, ...]:
        """The options that say all of it, with an --encoding file in `folder` if one is needed."""
        seen = self.seen
        if isinstance(seen, Mapping):
            file = folder / "seen.json"
            file.write_text(json.dumps(seen))
            seen = str(file)
        return (*self.options, *(("--encoding", seen) if seen else ()))


def in_onnx(folder: Path) -> Path:
    return Path(conv_net(folder / "net.onnx"))


def in_onnx_with_values_beside(folder: Path) -> Path:
    return Path(conv_net(folder / "net.onnx", external="net.data"))


def steady(weights: Mapping[str, Values]) -> dict[str, Values]:
    """The weights with variances of one: behind many norms of small variance rounding alone would answer."""
    return {name: np.ones_like(array) if name.endswith("running_var") else array for name, array in weights.items()}


def of_alpha_zero_general(folder: Path) -> Path:
    """Othello 6x6, PyTorch's zip."""
    convs = {f"conv{at}": (8, 8 if at > 1 else 1, 3, 3) for at in range(1, 5)}
    norms: dict[str, tuple[int, ...]] = {f"bn{at}": (8,) for at in range(1, 5)}
    dense = {"fc1": (24, 32), "fc_bn1": (24,), "fc2": (16, 24), "fc_bn2": (16,), "fc3": (37, 16), "fc4": (1, 16)}
    path = folder / "best.pth.tar"
    path.write_bytes(torch_zip(steady(drawn({**convs, **norms, **dense}))))
    return path


def of_a_builder(folder: Path) -> Path:
    """PyTorch's weights of a network that no family has, and its module in net.py."""
    (folder / "net.py").write_text(
        "import torch\n\n\n"
        "class Net(torch.nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.conv = torch.nn.Conv2d(2, 8, 3, padding=1)\n"
        "        self.policy = torch.nn.Linear(72, 9)\n"
        "        self.value = torch.nn.Linear(72, 1)\n\n"
        "    def forward(self, board):\n"
        "        flat = torch.relu(self.conv(board)).flatten(1)\n"
        "        return {'policy': self.policy(flat), 'value': torch.tanh(self.value(flat))}\n\n\n"
        "def build():\n"
        "    return Net(), (2, 3, 3)\n"
    )
    path = folder / "own.pt"
    path.write_bytes(torch_zip(drawn({"conv": (8, 2, 3, 3), "policy": (9, 72), "value": (1, 72)})))
    return path


def _gomoku() -> dict[str, Values]:
    """AlphaZero_Gomoku's layers for 3x3, by PyTorch's names."""
    convs = {"conv1": (8, 4, 3, 3), "conv2": (8, 8, 3, 3), "conv3": (8, 8, 3, 3)}
    policy = {"act_conv1": (4, 8, 1, 1), "act_fc1": (9, 36)}
    return dict(drawn({**convs, **policy, "val_conv1": (2, 8, 1, 1), "val_fc1": (64, 18), "val_fc2": (1, 64)}))


def in_safetensors(folder: Path) -> Path:
    head, data = {}, b""
    for name, array in _gomoku().items():
        place = [len(data), len(data) + array.nbytes]
        head[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": place}
        data += array.tobytes()
    written, path = json.dumps(head).encode(), folder / "best_policy.safetensors"
    path.write_bytes(len(written).to_bytes(8, "little") + written + data)
    return path


def pickled(folder: Path) -> Path:
    """A pickled list, as Theano's version writes it."""
    path = folder / "best_policy.model"
    path.write_bytes(pickle.dumps([a.T.copy() if a.ndim == 2 else a for a in _gomoku().values()], protocol=2))
    return path


def _in_tensorflow_1(folder: Path) -> tuple[Any, bytes]:
    """A network behind a placeholder, saved with its Adam as a checkpoint; and frozen."""
    import tensorflow as tf

    v1, random = tf.compat.v1, np.random.default_rng(6)

    def variable(name: str, *shape: int) -> Any:
        return v1.get_variable(name, initializer=random.normal(size=shape).astype("f4") / 4, use_resource=False)

    with tf.Graph().as_default(), v1.Session() as session:
        board = v1.placeholder(tf.float32, (None, 3, 3, 2), name="board")
        keep = v1.placeholder(tf.float32, name="keep_prob")
        wanted, result = (v1.placeholder(tf.float32, (None, size)) for size in (9, 1))
        x = tf.nn.relu(tf.nn.conv2d(board, variable("w1", 3, 3, 2, 8), 1, "SAME") + variable("b1", 8))
        flat = v1.nn.dropout(tf.reshape(x, [-1, 72]), keep_prob=keep)
        policy = tf.nn.softmax(tf.matmul(flat, variable("w2", 72, 9)), name="policy/softmax")
        value = tf.tanh(tf.matmul(flat, variable("w3", 72, 1)), name="value/tanh")
        loss = tf.reduce_mean((value - result) ** 2) - tf.reduce_mean(wanted * tf.math.log(policy))
        v1.train.AdamOptimizer(0.01).minimize(loss)
        session.run(v1.global_variables_initializer())
        v1.train.Saver().save(session, str(folder / "model.ckpt"))
        ends = [policy.op.name, value.op.name]
        frozen = v1.graph_util.convert_variables_to_constants(session, session.graph_def, ends)
    return folder / "model.ckpt.meta", bytes(frozen.SerializeToString())


def with_its_meta(folder: Path) -> Path:
    path: Path = _in_tensorflow_1(folder)[0]
    return path


def frozen(folder: Path) -> Path:
    data = _in_tensorflow_1(folder)[1]
    for file in folder.glob("model.ckpt*"):
        file.unlink()
    (folder / "checkpoint").unlink(missing_ok=True)
    path = folder / "net.pb"
    path.write_bytes(data)
    return path


def _model() -> Any:
    import tf_keras
    from tf_keras import layers

    tf_keras.utils.set_random_seed(4)
    board = layers.Input((3, 3, 2), name="board")
    x = layers.Flatten(name="flat")(layers.Conv2D(8, 3, padding="same", activation="relu", name="conv")(board))
    return tf_keras.Model(
        board, [layers.Dense(9, "softmax", name="policy")(x), layers.Dense(1, "tanh", name="value")(x)]
    )


def in_tfjs(folder: Path) -> Path:
    """A layers model, as tensorflowjs' converter writes it."""
    model, web = _model(), folder / "web"
    web.mkdir()
    entries, data = [], b""
    for weight in model.weights:
        entries.append({"name": weight.name.split(":")[0], "shape": list(weight.shape), "dtype": "float32"})
        data += weight.numpy().tobytes()
    (web / "group1-shard1of1.bin").write_bytes(data)
    topology = {"keras_version": "2.15.0", "backend": "tensorflow", "model_config": json.loads(model.to_json())}
    manifest = [{"paths": ["group1-shard1of1.bin"], "weights": entries}]
    whole = {"format": "layers-model", "modelTopology": topology, "weightsManifest": manifest}
    (web / "model.json").write_text(json.dumps(whole))
    return web


def of_keras_1(folder: Path) -> Path:
    """Keras 1.2's words for the same layers."""
    rest = {"trainable": True, "init": "glorot_uniform", "b_regularizer": None, "activity_regularizer": None}

    def layer(kind: str, name: str, before: str, **config: Any) -> dict[str, Any]:
        nodes = [[[before, 0, 0]]] if before else []
        return {"class_name": kind, "name": name, "config": {"name": name, **config}, "inbound_nodes": nodes}

    sizes = {"nb_filter": 8, "nb_row": 3, "nb_col": 3, "subsample": [1, 1], "border_mode": "same", "bias": True}
    layers = [
        layer("InputLayer", "board", "", batch_input_shape=[None, 3, 3, 2], input_dtype="float32", sparse=False),
        layer("Convolution2D", "conv", "board", activation="relu", dim_ordering="tf", **sizes, **rest),
        layer("Flatten", "flat", "conv", trainable=True),
        layer("Dense", "policy", "flat", output_dim=9, input_dim=None, bias=True, activation="softmax", **rest),
        layer("Dense", "value", "flat", output_dim=1, input_dim=None, bias=True, activation="tanh", **rest),
    ]
    ends = {"input_layers": [["board", 0, 0]], "output_layers": [["policy", 0, 0], ["value", 0, 0]]}
    config = {"class_name": "Model", "config": {"name": "model_1", "layers": layers, **ends}}
    random, path = np.random.default_rng(8), folder / "keras1.h5"
    shapes = {"conv": (3, 3, 2, 8), "policy": (72, 9), "value": (72, 1)}
    with h5py.File(path, "w") as file:
        file.attrs["keras_version"] = np.bytes_("1.2.2")
        file.attrs["model_config"] = np.bytes_(json.dumps(config))
        held = file.create_group("model_weights")
        held.attrs["layer_names"] = [np.bytes_(each["name"]) for each in layers]
        for each in layers:
            name, group = each["name"], held.create_group(each["name"])
            parts = {f"{name}_W:0": shapes[name], f"{name}_b:0": shapes[name][-1:]} if name in shapes else {}
            group.attrs["weight_names"] = [np.bytes_(part) for part in parts]
            for part, shape in parts.items():
                group[part] = (random.normal(size=shape) / 4).astype(np.float32)
    return path


def of_supergo(folder: Path) -> Path:
    """Three files beside each other, for 5x5."""
    trunk: dict[str, tuple[int, ...]] = {"conv1": (6, 17, 3, 3), "bn1": (6,)}
    trunk |= {"res0.conv1": (6, 6, 3, 3), "res0.bn1": (6,), "res0.conv2": (6, 6, 3, 3), "res0.bn2": (6,)}
    head: dict[str, tuple[int, ...]] = {"conv": (1, 6, 1, 1), "bn": (1,)}
    parts = {
        "extractor": {n: a for n, a in drawn(trunk).items() if not n.endswith(("conv1.bias", "conv2.bias"))},
        "policy_net": drawn({**head, "fc": (26, 25)}),
        "value_net": drawn({**head, "fc1": (32, 25), "fc2": (1, 32)}),
    }
    net = folder / "supergo"
    net.mkdir()
    for name, weights in parts.items():
        (net / f"10-{name}.pth.tar").write_bytes(torch_zip(steady(weights)))
    return net


_OF_GOMOKU = "tictactoe-mover-opponent-last-player0-to-move-input-flipped"
_LAST, _FIRST = {**TICTACTOE, "layout": "channels_last"}, {**TICTACTOE, "layout": "channels_first"}
KINDS: dict[str, Kind] = {
    "ONNX": Kind(in_onnx, _FIRST),
    "ONNX, values beside it": Kind(in_onnx_with_values_beside, _FIRST),
    "`.pth.tar`, `--preset`": Kind(of_alpha_zero_general, OTHELLO, ("--preset", "alpha-zero-general")),
    "`.pt`, `--builder`": Kind(of_a_builder, _FIRST, ("--builder", "net.py:build"), needs="torch"),
    "safetensors": Kind(in_safetensors, _OF_GOMOKU),
    "pickled list": Kind(pickled, _OF_GOMOKU),
    "frozen `.pb`": Kind(frozen, _LAST),
    "`.meta`": Kind(with_its_meta, _LAST),
    "TF.js layers model": Kind(in_tfjs, _LAST),
    "Keras 1.2": Kind(of_keras_1, _LAST),
    "SuperGo's folder": Kind(of_supergo, "go-mover-first"),
}
