"""Puts PyTorch weights into the module that the user's function builds; PyTorch then exports it as ONNX.

`arrays` reads the file as data; the only code that runs is the user's function and PyTorch.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ....errors import CheckpointError, first_line
from ....system.quietly import quietly
from ....system.temporary import temporary_folder
from ..builder import build
from ..layer_graph import TORCH, LayerGraph, Source
from ..onnx.file import read_onnx_graph
from ..stored import Board
from .arrays import Arrays
from .weights import digest_of

if TYPE_CHECKING:
    from collections.abc import Iterator

INPUT = "board"
_COUNTER = "num_batches_tracked"


@dataclass(frozen=True, eq=False)
class BuiltModule:
    """The user's module with the file's weights, for inference; `shape` is one position's, `names` are the outputs'."""

    module: Any
    shape: tuple[int, ...]
    names: tuple[str, ...]
    version: str


def read_module(arrays: Arrays, path: Path, builder: str, board: Board | None) -> LayerGraph:
    """The LayerGraph of the module that `builder` returns, with these weights.

    CheckpointError if PyTorch is not installed, if the weights do not fit the module, or if an operation has no form.
    """
    made = build_module(arrays, path, builder, board)
    with temporary_folder("torch") as folder:
        file = Path(folder, "net.onnx")
        _export(made, file, path)
        try:
            graph = read_onnx_graph(file)
        except CheckpointError as error:
            raise CheckpointError(str(error).replace(f"'{file}'", f"'{path}'")) from error
    config = {"class_name": "PyTorch", "config": {"shape": list(made.shape)}}
    by = f"PyTorch {made.version}"
    source = Source(path, TORCH, digest_of(path), graph.source.keras_version, config, builder=builder, framework=by)
    return replace(graph, source=source)


def build_module(arrays: Arrays, path: Path, builder: str, board: Board | None) -> BuiltModule:
    """Run the user's function and give its module the weights; errors as in `read_module`."""
    where = f"'{path}'"
    if find_spec("torch") is None:
        raise CheckpointError(
            f"{where} is of {arrays.framework}, for which --builder needs PyTorch, and that is not installed here: "
            "`pip install torch`, or give the network as ONNX (docs/other-frameworks.md)."
        )
    import torch

    made = build(builder)
    module, shape = made if isinstance(made, tuple) and len(made) == 2 else (made, None)
    if not isinstance(module, torch.nn.Module):
        raise CheckpointError(
            f"--builder {builder}: its result is not a torch.nn.Module ({type(module).__name__}): return the module "
            f"that {where} is of."
        )
    _load(module, arrays.values, where, builder)
    module.float().eval()
    shape = tuple(int(size) for size in shape) if shape is not None else _shape_of(module, board, builder)
    try:
        answer = answer_of(module, np.zeros((1, *shape), np.float32))
    except Exception as error:  # PyTorch passes on any error of a layer
        raise CheckpointError(
            f"--builder {builder}: its module does not take a position of shape {shape} ({first_line(error)[:160]}): "
            "let it return (module, SHAPE)."
        ) from error
    return BuiltModule(module, shape, tuple(answer), str(torch.__version__))


def answer_of(module: Any, boards: np.ndarray[Any, Any]) -> dict[str, np.ndarray[Any, Any]]:
    """The outputs for N positions by name: the names of a dict, else output_0 and so on."""
    import torch

    with torch.no_grad():
        answer = module(torch.from_numpy(boards))
    if isinstance(answer, Mapping):
        named = {str(name): value for name, value in answer.items()}
    else:
        outputs = answer if isinstance(answer, Sequence) else [answer]
        named = {f"output_{at}": value for at, value in enumerate(outputs)}
    return {name: value.detach().numpy() for name, value in named.items()}


def _load(module: Any, values: Mapping[str, Any], where: str, builder: str) -> None:
    import torch

    wanted = {name: value for name, value in values.items() if not name.endswith(_COUNTER)}
    try:
        tensors = {name: torch.from_numpy(np.array(value)) for name, value in wanted.items()}
        missing, unused = module.load_state_dict(tensors, strict=False)
    except (RuntimeError, TypeError) as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        raise CheckpointError(
            f"{where} is not of the module of --builder {builder} ({lines[-1][:200].rstrip('.')}): "
            "return the module that it was saved from."
        ) from error
    missing = [name for name in missing if not name.endswith(_COUNTER)]
    if missing or unused:
        why = f"it has no '{missing[0]}'" if missing else f"nothing in the module is called '{unused[0]}'"
        raise CheckpointError(
            f"{where} is not of the module of --builder {builder} ({why[:160]}): return the module that it was saved "
            "from."
        )


def _shape_of(module: Any, board: Board | None, builder: str) -> tuple[int, ...]:
    """A position's shape, from the module's first layer; for a convolution, --board gives the board."""
    import torch

    first = next((each for each in module.modules() if isinstance(each, torch.nn.Conv2d | torch.nn.Linear)), None)
    if isinstance(first, torch.nn.Linear):
        return (first.in_features,)
    if first is None or board is None:
        raise CheckpointError(
            f"--builder {builder}: nothing says of which shape a position is: give --board ROWSxCOLUMNS, or let it "
            "return (module, SHAPE)."
        )
    return (first.in_channels, *board)


def _export(made: BuiltModule, file: Path, path: Path) -> None:
    import torch

    options: dict[str, Any] = {name: {0: "batch"} for name in (INPUT, *made.names)}
    older = {"dynamo": False} if "dynamo" in signature(torch.onnx.export).parameters else {}
    try:
        with quietly(), _silent():
            torch.onnx.export(
                made.module,
                (torch.zeros(1, *made.shape),),
                str(file),
                input_names=[INPUT],
                output_names=list(made.names),
                dynamic_axes=options,
                opset_version=17,
                **older,
            )
    except Exception as error:  # PyTorch's exporter may raise any error
        raise CheckpointError(
            f"'{path}': PyTorch does not export the module as ONNX ({first_line(error)[:200].rstrip('.')}): "
            "export it by hand (docs/other-frameworks.md)."
        ) from error


@contextmanager
def _silent() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
