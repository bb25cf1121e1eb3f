"""Lists unusual facts about a checkpoint that would mislead a converter; `azx inspect` prints them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .layer_graph import Call, Source
from .untrusted import is_lambda

KERAS_LOSSES = frozenset(
    {"mse", "mean_squared_error", "categorical_crossentropy", "binary_crossentropy", "mae", "mean_absolute_error"}
    | {"sparse_categorical_crossentropy", "kullback_leibler_divergence", "logcosh", "huber_loss", "hinge"}
)


def find_quirks(calls: Iterable[Call], source: Source, training: Mapping[str, Any]) -> tuple[str, ...]:
    """One sentence per quirk, in the order of the layers, each once."""
    quirks = []
    if source.backend == "theano":
        quirks.append("written with Theano: convolution kernels are flipped")
    if source.kind == "weights":
        quirks.append(f"weights only: the architecture {_origin(source)}")
    if source.pairing:
        quirks.append(f"weights paired {source.pairing}: every one in the file is used once")
    if source.agent:
        quirks.append(f"the network of a Go agent (dlgo): {source.agent}")
    for loss in _losses(training.get("loss")):
        if loss not in KERAS_LOSSES:
            quirks.append(f"custom loss '{loss}' in the training configuration: not needed, not loaded")
    for call in calls:
        quirks += _layer_quirks(call)
    return tuple(dict.fromkeys(quirks))


def _origin(source: Source) -> str:
    if source.preset:
        return f"is {source.preset}'s for these shapes, which do not determine its activations"
    return f"is that of '{source.beside.name}' beside the file" if source.beside else "was given separately"


def _losses(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping) and "class_name" in value:
        name = value.get("config")
        yield name if isinstance(name, str) else "mse"
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _losses(item)
    elif isinstance(value, list):
        for item in value:
            yield from _losses(item)


def _layer_quirks(call: Call) -> Iterator[str]:
    kind, config = call.layer.kind, call.layer.config
    if kind == "LeakyReLU" and isinstance(config.get("alpha"), Mapping):
        yield "LeakyReLU alpha stored as a dict (Keras before 2.0.6)"
    if kind in ("Conv2D", "DepthwiseConv2D", "SeparableConv2D"):
        if config.get("data_format") == "channels_first":
            yield "channels_first: transposed once, at the input"
        # 'same' needs size - 1 zeros, an odd number: TensorFlow puts the extra one at the end.
        size = config.get("kernel_size", ())
        size = [size, size] if isinstance(size, int) else size
        if config.get("padding") == "same" and any(isinstance(side, int) and side % 2 == 0 for side in size):
            kernels = "x".join(map(str, size))
            yield f"even kernels ({kernels}) with 'same' padding: one row or column less above and left"
    if is_lambda(kind):
        # Its config holds Python bytecode, which tells a reader nothing.
        yield f"'{call.layer.name}' is a Lambda, Python code inside the file: it runs only with --allow-code"
    elif config.get("function") or kind.startswith("ops."):
        yield f"'{call.layer.name}' is an operation written as a layer ({config.get('function') or kind[4:]})"
