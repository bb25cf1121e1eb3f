"""Faults planted into artifacts, and the layer that `azx explain` names for each.

Five kinds of faults in some layers of an artifact. Values alone decide which constant of it belongs to which layer. So
the check never relies on the names that explain uses.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sibling import sibling

from azx.explain.artifact import ArtifactExplanation, Question
from azx.explain.explain_bundle import answer
from azx.export.network.network import Dense, WindowOp
from azx.export.network.simplify import simplify
from azx.system.workers import Workers

artifacts = sibling(str(Path(__file__).parents[1] / "validate" / "test_faults.py"), "fault_artifacts")

Rng = np.random.Generator
Weights = NDArray[np.float32]


def scale_weight(values: Weights, rng: Rng) -> None:
    """One weight is a tenth larger."""
    values.flat[int(rng.random() * values.size)] *= np.float32(1.1)


def negate_weight(values: Weights, rng: Rng) -> None:
    """One weight has the other sign."""
    values.flat[int(rng.random() * values.size)] *= np.float32(-1)


def zero_channel(values: Weights, rng: Rng) -> None:
    """A channel of a kernel is 0."""
    rows = _channels(values)
    rows[int(rng.random() * len(rows))] = 0


def swap_channels(values: Weights, rng: Rng) -> None:
    """Two channels of a kernel have changed places."""
    rows = _channels(values)
    one, other = rng.choice(len(rows), 2, replace=False)
    rows[[one, other]] = rows[[other, one]]


def shift_bias(values: Weights, rng: Rng) -> None:
    """One number of a bias is larger by a hundredth."""
    values.flat[int(rng.random() * values.size)] += np.float32(0.01)


def _channels(values: Weights) -> Weights:
    """The kernel by channels: those that it makes or those that it reads, of which there are two at least."""
    return np.moveaxis(values, int(np.argmax([size if size > 1 else 0 for size in values.shape])), 0)


KINDS: dict[str, Callable[[Weights, Rng], None]] = {
    "a weight times 1.1": scale_weight,
    "a weight's sign": negate_weight,
    "a channel is 0": zero_channel,
    "two channels swapped": swap_channels,
    "a bias and 0.01": shift_bias,
}


@dataclass(frozen=True)
class Fault:
    """A fault to plant: `weight` is the artifact's name of the constant, `layer` the checkpoint's of its layer."""

    kind: str
    layer: str
    weight: str


@dataclass(frozen=True)
class Hit:
    """What became of a fault: the layers that explain names first."""

    fault: Fault
    named: tuple[str, ...]

    @property
    def right(self) -> bool:
        """Whether the layer is the one named, or computed with it as one."""
        return self.fault.layer in self.named


def faults(question: Question, artifact: Any, layers: int) -> Iterator[Fault]:
    """Each kind in so many layers, spread over the network; a layer without a bias has the shift in a weight."""
    weighing = [op for op in simplify(question.graph).ops if isinstance(op, (WindowOp, Dense))]
    chosen = [weighing[at] for at in np.unique(np.linspace(0, len(weighing) - 1, layers).round().astype(int))]
    stored = artifact.weights()
    for op in chosen:
        kernel = _same(stored, op.kernel)
        assert kernel is not None, f"no constant, or more than one, has the kernel of '{op.layer}'"
        bias = (_same(stored, op.bias) if op.bias is not None else None) or kernel
        for kind in KINDS:
            yield Fault(kind, op.layer, bias if kind == "a bias and 0.01" else kernel)


def _same(stored: dict[str, Weights], values: Weights) -> str | None:
    """The one constant that has these values, in whatever order; None if several have, or none."""
    wanted = np.sort(values, axis=None)
    alike = [
        name
        for name, held in stored.items()
        if held.size == wanted.size and np.allclose(np.sort(held, axis=None), wanted, rtol=1e-5, atol=1e-7)
    ]
    return alike[0] if len(alike) == 1 else None


def plant(question: Question, kind: Any, fault: Fault, folder: Path, seed: int) -> Path:
    """A copy of the artifact with the fault in it."""
    place = folder / question.path.name
    if question.path.is_dir():
        shutil.copytree(question.path, place, dirs_exist_ok=True)
    else:
        shutil.copyfile(question.path, place)
    artifact = kind(place)
    values = np.array(artifact.weights()[fault.weight])
    KINDS[fault.kind](values, np.random.default_rng(seed))
    artifact.put(fault.weight, values)
    artifact.save()
    return place


def measure(question: Question, layers: int, seed: int) -> list[Hit]:
    """Plant each fault, explain it, and see which layer is named."""
    kind = artifacts.KINDS[question.format]
    hits = []
    with tempfile.TemporaryDirectory() as name, Workers() as workers:
        for at, fault in enumerate(faults(question, kind(question.path), layers)):
            place = plant(question, kind, fault, Path(name), seed + at)
            hits.append(Hit(fault, _name_layers(answer(workers, replace(question, path=place)))))
    return hits


def _name_layers(explained: ArtifactExplanation) -> tuple[str, ...]:
    return explained.first.step.layers if explained.first else ()
