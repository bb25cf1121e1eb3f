"""JSON as Keras writes it: within limits, and each member of a layer has the type that its readers expect.

Code that reads a configuration later can then rely on its types.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeGuard

from ....errors import CheckpointError
from ....system.plain_file import size_text
from .attributes import is_printable
from .limits import INPUT_VALUES, JSON_BYTES, JSON_DEPTH, JSON_VALUES, NAME_LENGTH, SIDE


class NotAsWritten(ValueError):  # noqa: N818 - it names what is wrong, and becomes a CheckpointError with the file's name
    """A member has another type than Keras writes; the message is a clause."""


def json_object(data: str | bytes, where: object) -> dict[str, Any]:
    """`data` as a JSON object; CheckpointError, which begins with `where`, for other data, or beyond the limits."""
    if len(data) > JSON_BYTES:
        raise CheckpointError(
            f"{where} is of over {size_text(JSON_BYTES)}: it is not an architecture of a board-game network."
        )
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{where} is not valid JSON ({str(error)[:200]}): save it again.") from error
    if not isinstance(value, dict):
        raise CheckpointError(f"{where} holds JSON that is not an object: give what Keras' to_json() wrote.")
    check_tree(value, where)
    return value


def check_tree(value: Any, where: object) -> None:
    """Raise CheckpointError if a JSON tree is too deep, has too many values, or has a text or number out of range."""
    level, count, depth = [value], 0, 0
    while level:
        count += len(level)
        depth += 1
        if count > JSON_VALUES or depth > JSON_DEPTH:
            raise CheckpointError(
                f"{where} holds over {JSON_VALUES:,} values, or {JSON_DEPTH} levels: it is not an architecture."
            )
        for item in level:
            if isinstance(item, str) and not is_printable(item):
                raise CheckpointError(f"{where} holds text that is not UTF-8 ({item[:40]!a}): save it again.")
            if isinstance(item, int) and abs(item) >= 1 << 63:
                raise CheckpointError(f"{where} holds a number of over {1 << 63:.0e}: save it again.")
        level = [inner for item in level for inner in _inside(item)]


def _inside(item: Any) -> list[Any]:
    if isinstance(item, dict):
        return [*item, *item.values()]
    return item if isinstance(item, list) else []


def mappings_in(value: object) -> Iterator[Mapping[str, Any]]:
    """Every object in a JSON tree."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Mapping):
            yield item
            waiting += item.values()
        elif isinstance(item, list):
            waiting += item


def object_of(value: object, what: str) -> Mapping[str, Any]:
    """`value` as an object; NotAsWritten for any other type."""
    if not isinstance(value, Mapping):
        raise NotAsWritten(f"{what} is {shorten(value)} and no object")
    return value


def list_of(value: object, what: str) -> list[Any]:
    """`value` as a list; NotAsWritten for any other type."""
    if not isinstance(value, (list, tuple)):
        raise NotAsWritten(f"{what} is {shorten(value)} and no list")
    return list(value)


def name_of(value: object, what: str) -> str:
    """`value` as a name; NotAsWritten for an empty or very long text, and for any other type."""
    if not isinstance(value, str) or not 0 < len(value) <= NAME_LENGTH:
        raise NotAsWritten(f"{what} is {shorten(value)} and no name")
    return value


def index_of(value: object, what: str) -> int:
    """`value` as a whole number, at least 0; NotAsWritten for any other value."""
    if not _is_whole(value) or not 0 <= value < 1 << 31:
        raise NotAsWritten(f"{what} is {shorten(value)} and no whole number from 0 on")
    return value


def version_of(value: object, where: str) -> str:
    """A version of Keras, or an empty text.

    CheckpointError for anything else, and for versions that azx does not know.
    """
    if value in ("", None):
        return ""
    if not isinstance(value, str) or not re.fullmatch(r"\d{1,3}(\.[\w.+-]{1,60})?", value):
        raise CheckpointError(f"{where}: its keras_version is {shorten(value)} and no version: save the model again.")
    if int(value.split(".")[0]) > 3:
        raise CheckpointError(f"{where} was written by Keras {value}, and azx knows those up to 3: save it from one.")
    return value


def shape_of_input(value: object, what: str) -> list[int | None]:
    """A shape with the batch first, in which sizes may be free.

    NotAsWritten for anything else, or for too many values.
    """
    sizes = list_of(value, what)
    if not 1 <= len(sizes) <= 8 or not all(size is None or (_is_whole(size) and size >= 0) for size in sizes):
        raise NotAsWritten(f"{what} is {shorten(value)} and no shape")
    values = 1
    for size in sizes[1:]:
        values *= 1 if size is None else size
    if values > INPUT_VALUES:
        raise NotAsWritten(f"{what} is {shorten(value)}, of over {INPUT_VALUES:,} values")
    return sizes


def shorten(value: object) -> str:
    """A value for a sentence; a long one is cut."""
    text = repr(value) if isinstance(value, (str, int, float, list, tuple, dict)) else str(value)
    return text if len(text) <= 60 else f"{text[:60]}..."


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    """Whether it is a number, {"type": "ndarray", "value": 0.3} as before Keras 2.0.6, or a list with one number."""
    if isinstance(value, Mapping):
        value = value.get("value", value.get("config"))
    if isinstance(value, list):
        return len(value) == 1 and _is_number(value[0])
    return value is None or isinstance(value, (int, float))


def _is_text(value: object) -> bool:
    return value is None or (isinstance(value, str) and len(value) <= NAME_LENGTH)


def _is_axis(value: object) -> bool:
    axes = value if isinstance(value, list) else [value]
    return 0 < len(axes) <= 8 and all(_is_whole(axis) and -32 <= axis <= 32 for axis in axes)


def _is_count(value: object) -> bool:
    return _is_whole(value) and 1 <= value < 1 << 31


def _is_window(value: object) -> bool:
    """Whether it is one size for all sides, or a list with one per side."""
    sides = value if isinstance(value, list) else [value]
    return 1 <= len(sides) <= 3 and all(_is_whole(side) and 1 <= side <= SIDE for side in sides)


def _is_margin(value: object) -> bool:
    """Whether it is one margin for all sides, or a list with one or two per side."""
    if isinstance(value, list):
        return 1 <= len(value) <= 3 and all(_is_margin(item) for item in value)
    return _is_whole(value) and 0 <= value <= SIDE


def _is_list(value: object, check: Callable[[object], bool]) -> TypeGuard[list[Any]]:
    return isinstance(value, list) and all(check(item) for item in value)


def _optional(check: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: value is None or check(value)


_Member = tuple[Callable[[object], bool], str]
_TEXT: _Member = (_is_text, "text")
_NUMBER: _Member = (_is_number, "number")
_SWITCH: _Member = (lambda value: value is None or (isinstance(value, int) and value in (0, 1)), "true or false")
_WINDOW: _Member = (_is_window, f"whole number from 1 to {SIDE:,}, or a list of them")
_COUNT: _Member = (_is_count, "whole number from 1 on")
_SIZES: _Member = (lambda value: _is_list(value, _is_whole) and len(value) <= 8, "list of whole numbers")
# Members of Keras' own layers, with the type that each has in every layer.
MEMBERS: dict[str, _Member] = {
    **dict.fromkeys(("name", "interpolation", "output_mode"), _TEXT),
    **dict.fromkeys(("epsilon", "momentum", "alpha", "negative_slope", "max_value", "threshold", "theta"), _NUMBER),
    **dict.fromkeys(("use_bias", "center", "keepdims", "trainable", "rms_scaling", "sparse"), _SWITCH),
    **dict.fromkeys(("kernel_size", "dilation_rate", "size"), _WINDOW),
    **dict.fromkeys(("pool_size", "strides"), (_optional(_is_window), _WINDOW[1])),
    **dict.fromkeys(("filters", "units", "depth_multiplier", "n", "input_dim", "output_dim", "num_tokens"), _COUNT),
    **dict.fromkeys(("target_shape", "dims"), _SIZES),
    **dict.fromkeys(
        ("scale", "offset"),
        (lambda value: _is_number(value) or _is_list(value, _is_number), "number, a list of them, true or false"),
    ),
    "axis": (_is_axis, "whole number, or a list of them"),
    "groups": (lambda value: _is_count(value) or value in (None, -1), _COUNT[1]),
    "data_format": (lambda value: value in (None, "channels_last", "channels_first"), "data format"),
    "padding": (lambda value: _is_text(value) or _is_margin(value), "padding"),
    "cropping": (_is_margin, "margin"),
    "activation": (lambda value: _is_text(value) or isinstance(value, Mapping), "activation"),
    "dtype": (lambda value: _is_text(value) or isinstance(value, Mapping), "type of numbers"),
    "shared_axes": (_optional(_is_axis), "list of axes"),
}
# The classes to which these members belong: the layers that azx knows. Other layers may give the names other types.
_CLASSES = """
    InputLayer Dense Activation Dropout Flatten Reshape Permute RepeatVector Embedding Identity Rescaling
    BatchNormalization LayerNormalization GroupNormalization CategoryEncoding ActivityRegularization
    Add Subtract Multiply Average Maximum Minimum Concatenate ReLU LeakyReLU PReLU ELU ThresholdedReLU Softmax
    Conv1D Conv2D Conv2DTranspose DepthwiseConv2D SeparableConv2D UpSampling2D
    MaxPooling1D MaxPooling2D AveragePooling1D AveragePooling2D
    GlobalMaxPooling1D GlobalMaxPooling2D GlobalAveragePooling1D GlobalAveragePooling2D
    ZeroPadding1D ZeroPadding2D Cropping1D Cropping2D
    SpatialDropout1D SpatialDropout2D GaussianNoise GaussianDropout AlphaDropout
"""
CLASSES = frozenset(_CLASSES.split())


def check_members(kind: str, config: Mapping[str, Any], name: str) -> None:
    """Raise NotAsWritten if a member of one of Keras' own layers has another type than Keras writes."""
    if kind not in CLASSES:
        return
    for member, value in config.items():
        check, words = MEMBERS.get(member, (None, ""))
        if check is not None and not check(value):
            raise NotAsWritten(f"layer '{name}' ({kind}): its {member} is {shorten(value)} and no {words}")
    inner = config.get("activation")
    if isinstance(inner, Mapping) and isinstance(inner.get("config"), Mapping):
        check_members(str(inner.get("class_name")), inner["config"], name)
