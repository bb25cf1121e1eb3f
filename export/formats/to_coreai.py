"""Core AI (iOS 27, experimental): a frozen graph as an `.aimodel`, float32, the same bytes every time.

Apple has no converter from TensorFlow, so azx writes the graph operation by operation with coreai.authoring.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...errors import BundleError, ConversionError, first_line
from ..graph.frozen import FrozenGraph, Port
from ..graph.grappler import grappler
from ..graph.rewrites import channels_last
from ..network.emitter import identity
from .coreai.tensors import Emitter, Tensor

FUNCTION = "main"
PROGRAM, PROGRAM_HASH, METADATA = "main.mlirb", "main.hash", "metadata.json"
# An asset needs a date; a real one would differ each time.
_DATE = "19700101T000000Z"


def write(frozen: FrozenGraph, target: Path) -> None:
    """Write `frozen` as the asset `target` (a folder named <stem>.aimodel), replacing an older one.

    Names, order and metadata are those of `frozen`; a free batch stays free. Raises ConversionError if an operation has
    no form in Core AI, BundleError if `target` cannot be written. No half-written asset stays behind.
    """
    for port in frozen.inputs:
        if port.dtype != "float32":
            raise ConversionError(f"Core AI: input '{port.name}' is {port.dtype} and azx writes float32 inputs only.")
    try:
        with tempfile.TemporaryDirectory(prefix=".coreai-", dir=target.parent) as staging:
            asset = Path(staging) / target.name
            _author(frozen, asset)
            _fix_bytes(asset, frozen.metadata)
            if target.is_dir():
                shutil.rmtree(target)
            asset.rename(target)
    except OSError as error:
        raise BundleError(f"{target} cannot be written: {error.strerror or error}") from error


def metadata(path: Path) -> Mapping[str, str]:
    """The metadata that `write` put into the asset."""
    description = json.loads((path / METADATA).read_text(encoding="utf-8"))
    return dict(description["creatorDefinedMetadata"])


def about(path: Path) -> Mapping[str, Any]:
    """`producer`, the package that wrote it and its version, on which its bytes depend."""
    return {"producer": json.loads((path / METADATA).read_text(encoding="utf-8"))["producer"]}


def _author(frozen: FrozenGraph, asset: Path) -> None:
    from coreai import authoring
    from coreai.authoring.debuginfo import DebugInfo

    # In its own context, since names would otherwise continue from the last asset's; and at its own location, since
    # each operation would otherwise name a line of azx.
    here = DebugInfo.file(FUNCTION, 1)
    try:
        with authoring.Context()._mlir_context, here.activate():
            module = authoring.Module.create()
            with module, here.activate():
                _graph(frozen, authoring)
            authoring.AIProgram(module).save_asset(asset)
    except (OSError, ConversionError):
        raise
    except Exception as error:  # MLIR's errors and those of its checks have no common base
        raise ConversionError(f"Core AI: coreai-core refused the graph ({first_line(error)}).") from error


def _graph(frozen: FrozenGraph, authoring: Any) -> None:
    """Emit the function `main` in the open module, with the ports' names and order."""
    from coreai._compiler.dialects.coreai import OutputOp
    from coreai.authoring.graph_builder import GraphOp
    from tensorflow.compat.v1 import GraphDef

    def kinds(ports: tuple[Port, ...]) -> list[Any]:
        shapes = [[-1 if size is None else size for size in port.shape] for port in ports]
        return [authoring.TensorType(shape, "float32")._to_mlir_type() for shape in shapes]

    made = GraphOp(
        FUNCTION,
        input_types=kinds(frozen.inputs),
        result_types=kinds(frozen.output_ports),
        input_names=[port.name for port in frozen.inputs],
        result_names=[port.name for port in frozen.outputs],
    )
    with made.block:
        given = {
            port.name: Tensor(port.shape, authoring.Value._from_mlir(value), identity(len(port.shape)))
            for port, value in zip(frozen.inputs, made.arguments, strict=True)
        }
        emitter = Emitter(authoring)
        graph = channels_last(GraphDef.FromString(frozen.graph_def))
        if frozen.fallback is not None:  # traced by Keras: turn shapes calculated from constants into constants
            graph = grappler(graph, [head.name for head in frozen.outputs], ["constfold"])
        tensors = compute_nodes(emitter, graph, given)
        OutputOp([emitter.value_of(tensors[head.name])._to_mlir() for head in frozen.outputs])


def compute_nodes(emitter: Emitter, graph: Any, given: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Every node of the graph as a tensor; `given` are the inputs. ConversionError if a node has no form."""
    from tensorflow import make_ndarray

    from .coreai.elementwise import rules
    from .coreai.operations import SHAPED

    known = SHAPED | rules()
    if lacking := sorted({node.op for node in graph.node} - set(known) - {"Const", "Placeholder", "NoOp"}):
        raise ConversionError(f"Core AI: it has no form for {' or '.join(lacking)}, which this network needs.")
    tensors = dict(given)
    for node in graph.node:
        if node.op == "Const":
            tensors[node.name] = Tensor.of(make_ndarray(node.attr["value"].tensor))
        elif node.op not in ("Placeholder", "NoOp"):
            names = [name.split(":")[0] for name in node.input if not name.startswith("^")]
            tensors[node.name] = known[node.op](emitter, node, [tensors[name] for name in names])
    return tensors


def _fix_bytes(asset: Path, metadata: Mapping[str, str]) -> None:
    """Fix the date, add azx's metadata, and write the program's hash."""
    description = json.loads((asset / METADATA).read_text(encoding="utf-8"))
    description |= {"creationDate": _DATE, "creatorDefinedMetadata": dict(metadata)}
    text = json.dumps(description, indent=2, ensure_ascii=False, sort_keys=True) + "\n"
    (asset / METADATA).write_text(text, encoding="utf-8")
    (asset / PROGRAM_HASH).write_bytes(hashlib.sha256((asset / PROGRAM).read_bytes()).digest())
