"""What the tests of the export share: a Keras model as a frozen graph, and an artifact's answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from azx.export.checkpoint.head import Head
from azx.export.checkpoint.layer_graph import LayerGraph
from azx.export.checkpoint.read import read_checkpoint
from azx.export.formats.table import FORMATS
from azx.export.graph.freeze import freeze, try_simplify
from azx.export.graph.frozen import FrozenGraph
from azx.export.graph.names import Names
from azx.export.network.network import Network
from azx.validate.runners.runner import Signature

Feeds = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Exported:
    """A checkpoint up to the frozen graph; `network` is None and `reason` says why where it was traced."""

    graph: LayerGraph
    network: Network | None
    reason: str | None
    frozen: FrozenGraph

    @property
    def heads(self) -> tuple[Head, ...]:
        return self.frozen.outputs

    def named(self, feeds: Feeds) -> dict[str, Any]:
        """Feeds by the checkpoint's input names, by the artifacts'."""
        return {spec.name: np.asarray(feeds[spec.source_name], np.float32) for spec in self.frozen.inputs}


def export_file(path: Path, *, batch: int | None = 1, **settings: Any) -> Exported:
    """Read, simplify or trace, name the heads, build."""
    graph = read_checkpoint(
        path, **{key: settings.pop(key) for key in ("config", "builder", "preset") if key in settings}
    )
    frozen = freeze(graph, Names(**settings), batch)
    return Exported(graph, try_simplify(graph).network, frozen.fallback, frozen)


@pytest.fixture(scope="session")
def export_checkpoint() -> Callable[..., Exported]:
    """Exports a file: export_checkpoint(path, batch=1, config=..., keep_names=False, ...)."""
    return export_file


@pytest.fixture
def exported(tmp_path: Path) -> Callable[..., Exported]:
    """Saves a Keras model as .keras and exports it: exported(model, batch=1, keep_names=False, ...)."""

    def run(model: Any, **settings: Any) -> Exported:
        model.save(tmp_path / "net.keras")
        return export_file(tmp_path / "net.keras", **settings)

    return run


@pytest.fixture(scope="session")
def by_tensorflow() -> Callable[..., dict[str, Any]]:
    """Answers of a frozen graph in a plain Session, with all of TensorFlow's own optimisations on."""

    def run(frozen: FrozenGraph, feeds: Feeds, fetches: list[str] | None = None) -> dict[str, Any]:
        import tensorflow as tf

        with tf.Graph().as_default(), tf.compat.v1.Session() as session:
            tf.import_graph_def(tf.compat.v1.GraphDef.FromString(frozen.graph_def), name="")
            wanted = {name: f"{name}:0" for name in fetches or [head.name for head in frozen.outputs]}
            return dict(session.run(wanted, {f"{name}:0": value for name, value in feeds.items()}))

    return run


@pytest.fixture
def answers(tmp_path: Path) -> Callable[..., tuple[Signature, dict[str, Any]]]:
    """Writes a format and answers in its own runtime: answers("onnx", frozen, feeds)."""

    def run(name: str, frozen: FrozenGraph, feeds: Feeds) -> tuple[Signature, dict[str, Any]]:
        entry = FORMATS[name]
        if reason := entry.unavailable():
            pytest.skip(reason)
        target = tmp_path / entry.path("net")
        entry.write(frozen, target)
        with entry.open(target) as runner:
            return runner.signature(), dict(runner.run(feeds))

    return run
