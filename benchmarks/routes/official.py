"""The five official routes, each as in a hand-written script: python official.py ROUTE CHECKPOINT TARGET.

Nothing here is from azx: no names, no order, no proof. Each route runs in a process of its own, as for a person who
follows the converter's documentation. Paths are strings, as in hand-written scripts.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

# coremltools takes a Keras model only if tf.keras is tf_keras, which these checkpoints need too.
os.environ.setdefault("TF_USE_LEGACY_KERAS", "1")

OPSET = 17
DEAD_DEPENDENCIES = (
    "tensorflow_decision_forests",
    "tensorflow_hub",
    "jax",
    "jax.experimental",
    "jax.experimental.jax2tf",
)


def load(checkpoint: str) -> Any:
    """The checkpoint as a tf_keras model, without its custom loss."""
    import tf_keras

    return tf_keras.models.load_model(checkpoint, compile=False)


def write_pb(checkpoint: str, target: str) -> None:
    """Freeze the model's call, by the recipe for TensorFlow 2."""
    import tensorflow as tf
    from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

    model = load(checkpoint)
    signature = [tf.TensorSpec(port.shape, port.dtype) for port in model.inputs]
    call = tf.function(model).get_concrete_function(signature if len(signature) > 1 else signature[0])
    frozen = convert_variables_to_constants_v2(call)
    Path(target).write_bytes(frozen.graph.as_graph_def().SerializeToString())


def write_tflite(checkpoint: str, target: str) -> None:
    """Convert by TensorFlow's own function for Keras models."""
    import tensorflow as tf

    content = tf.lite.TFLiteConverter.from_keras_model(load(checkpoint)).convert()
    Path(target).write_bytes(content)


def write_onnx(checkpoint: str, target: str) -> None:
    """Convert by tf2onnx' own function for Keras models."""
    import tf2onnx

    tf2onnx.convert.from_keras(load(checkpoint), opset=OPSET, output_path=target)


def write_coreml(checkpoint: str, target: str) -> None:
    """Let coremltools convert the model: an ML program in float32, batch 1."""
    import coremltools as ct

    model = load(checkpoint)
    inputs = [ct.TensorType(name=port.name, shape=(1, *port.shape[1:])) for port in model.inputs]
    package = ct.convert(model, inputs=inputs, convert_to="mlprogram", compute_precision=ct.precision.FLOAT32)
    package.save(target)


def write_tfjs(checkpoint: str, target: str) -> None:
    """Save a SavedModel and convert it to a graph model."""
    for name in DEAD_DEPENDENCIES:  # without these the converter does not import
        sys.modules[name] = ModuleType(name)
    sys.modules["jax.experimental"].__dict__["jax2tf"] = sys.modules["jax.experimental.jax2tf"]
    from tensorflowjs.converters import convert_tf_saved_model

    with tempfile.TemporaryDirectory() as folder:
        load(checkpoint).save(folder, save_format="tf")
        convert_tf_saved_model(folder, target)


ROUTES: dict[str, Callable[[str, str], None]] = {
    "pb": write_pb,
    "tflite": write_tflite,
    "onnx": write_onnx,
    "tfjs": write_tfjs,
    "coreml": write_coreml,
}


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] in ROUTES:
        ROUTES[sys.argv[1]](sys.argv[2], sys.argv[3])
    else:
        print(f"usage: python official.py {'|'.join(ROUTES)} CHECKPOINT TARGET")
