"""What the workers are asked to do; each function runs in a worker and returns plain data."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from ..errors import AzxError, Refused, UnsupportedLayer, first_line
from ..export.checkpoint.layer_graph import LayerGraph
from ..export.formats.table import FORMATS
from .contract import Expected, problems
from .runners.runner import Signature

Feeds = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class Run:
    """What became of one artifact in its runtime.

    `problems` break the contract; `damage` says why it could not be loaded or run at all.
    """

    runtime: str
    outputs: dict[str, NDArray[Any]] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    damage: str | None = None
    seconds: float = 0.0


def run_artifact(
    format_name: str, path: Path, feeds: Feeds, inputs: tuple[Expected, ...], outputs: tuple[Expected, ...]
) -> Run:
    """Open an artifact, hold its signature to the contract, and let it answer the feeds."""
    module, _, name = FORMATS[format_name].runner.partition(":")
    runner = getattr(import_module(module), name)(path)
    runtime = FORMATS[format_name].title
    found: tuple[str, ...] = ()
    try:
        with runner:
            runtime = runner.runtime
            signature: Signature = runner.signature()
            nodes = {port.name: port.node for port in outputs if port.node}
            found = (*problems(signature, inputs, outputs), *runner.misnamed(nodes))
            if any(clause.startswith("input") for clause in found):
                return Run(runtime, {}, found)
            started = time.perf_counter()
            answers = runner.run(feeds)
            return Run(runtime, answers, found, None, time.perf_counter() - started)
    except Refused as error:
        return Run(runtime, problems=(*found, str(error).rstrip(".")))
    except AzxError as error:
        return Run(runtime, problems=found, damage=None if found else str(error))
    except Exception as error:  # a runtime raises whatever it likes on a graph that does not fit
        return Run(runtime, problems=(*found, f"does not run ({type(error).__name__}: {first_line(error)[:200]})"))


@dataclass(frozen=True)
class Answers:
    """The outputs of the original by Keras' names, or the reason why there are none."""

    by: str
    outputs: dict[str, NDArray[Any]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    missing: str | None = None


def witness(graph: LayerGraph, feeds: Feeds) -> Answers:
    """The float64 witness' answers; no answer for a network with a layer that it does not know."""
    from .witness.evaluate import evaluate

    try:
        return Answers("float64 witness", evaluate(graph, feeds))
    except UnsupportedLayer as error:
        return Answers("float64 witness", missing=str(error))


def reference(graph: LayerGraph, feeds: Feeds) -> Answers:
    """Keras' answers; no answer where it cannot run this network on this machine."""
    from .reference import ReferenceUnavailable, run_reference

    try:
        found = run_reference(graph, feeds)
    except ReferenceUnavailable as error:
        return Answers("Keras", missing=str(error))
    return Answers(found.runtime, dict(found.outputs), found.notes)
