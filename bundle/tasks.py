"""What the TensorFlow process is asked to do for an export; each function returns plain data."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..errors import BundleError
from ..export.formats.table import FORMATS
from ..export.graph.build import build
from ..export.graph.frozen import FrozenGraph
from ..export.graph.heads import Head
from ..export.graph.traced import Traced, from_traced
from .plan import Simplified


def build_graph(
    simplified: Simplified,
    traced: Traced | None,
    heads: Sequence[Head],
    batch: int | None,
    keep_names: bool,
    sources: Sequence[str],
) -> FrozenGraph:
    """The one graph that every format is written from."""
    if simplified.network is not None:
        return build(simplified.network, heads, batch, keep_names=keep_names)
    if traced is None:
        raise ValueError("neither a canonical network nor a traced graph")
    return from_traced(traced, heads, batch, simplified.reason or "", keep_names=keep_names, sources=sources)


def write_artifact(format_name: str, frozen: FrozenGraph, target: Path, opset: int) -> None:
    """Write one artifact; BundleError where the disk refuses it."""
    options = {"opset": opset} if format_name == "onnx" else {}
    try:
        FORMATS[format_name].write(frozen, target, **options)
    except OSError as error:
        raise _unwritten(target, error) from error
    except Exception as error:
        refusal = _refusal(target.parent, 2 * len(frozen.graph_def))
        if refusal is None:
            raise
        raise _unwritten(target, refusal) from error


def _refusal(folder: Path, size: int) -> OSError | None:
    """Why a file of `size` bytes cannot be written: converters report a full disk as errors of their own."""
    probe = folder / "probe"
    try:
        probe.write_bytes(bytes(size))
    except OSError as error:
        return error
    finally:
        probe.unlink(missing_ok=True)
    return None


def _unwritten(target: Path, error: OSError) -> BundleError:
    return BundleError(
        f"'{target.name}' cannot be written ({error.strerror or error}): "
        "free the disk, or choose another folder with -o."
    )
