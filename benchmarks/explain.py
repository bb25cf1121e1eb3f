"""Plants faults into artifacts and measures how often `azx explain` names the layer that has one.

Ten layers, five kinds of faults, in each format. Values alone decide which constant of an artifact belongs to which
layer. So the check never relies on the names that explain uses. It measures and does not judge: the exit code is 0
whatever it finds.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT))  # at the end: for `benchmarks` alone, no name of the root may hide a library's

from azx import export_checkpoint  # noqa: E402
from azx.commands.printed.output import line, print_json, progress  # noqa: E402
from azx.explain.artifact import TAPPED, ArtifactExplanation, Question  # noqa: E402
from azx.explain.explain_bundle import answer, explain, questions  # noqa: E402
from azx.export.checkpoint.located import find_checkpoint  # noqa: E402
from azx.export.network.network import Dense, WindowOp  # noqa: E402
from azx.export.network.simplify import simplify  # noqa: E402
from azx.system.workers import Workers  # noqa: E402
from benchmarks.faults import artifacts, copy_artifact  # noqa: E402

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
    """What became of a fault: the layers that explain names first, and the seconds that it took."""

    fault: Fault
    named: tuple[str, ...]
    seconds: float

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
        if kernel is None:
            raise click.ClickException(f"No constant, or more than one, has the kernel of '{op.layer}'.")
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
    copy_artifact(question.path, place)
    artifact = kind(place)
    values = np.array(artifact.weights()[fault.weight])
    KINDS[fault.kind](values, np.random.default_rng(seed))
    artifact.put(fault.weight, values)
    artifact.save()
    return place


def measure(question: Question, layers: int, seed: int, on_step: Callable[[str], None]) -> list[Hit]:
    """Plant each fault, explain it, and see which layer is named."""
    kind = artifacts().KINDS[question.format]
    hits = []
    with tempfile.TemporaryDirectory() as name, Workers() as workers:
        for at, fault in enumerate(faults(question, kind(question.path), layers)):
            on_step(f"{question.format}: {fault.kind} in {fault.layer}")
            place = plant(question, kind, fault, Path(name), seed + at)
            started = time.perf_counter()
            explained = answer(workers, replace(question, path=place))
            hits.append(Hit(fault, _name_layers(explained), time.perf_counter() - started))
    return hits


def _name_layers(explained: ArtifactExplanation) -> tuple[str, ...]:
    return explained.first.step.layers if explained.first else ()


def alone(bundle: Path, name: str, checkpoint: str) -> float:
    """Seconds of one explanation with everything in it: processes started, the checkpoint read, positions drawn."""
    started = time.perf_counter()
    explain(questions(bundle, against=checkpoint, formats=[name]))
    return time.perf_counter() - started


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("checkpoint", default="connect4")
@click.option("--bundle", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Of it, made already.")
@click.option("--format", "formats", multiple=True, type=click.Choice(TAPPED), help="Only this one.")
@click.option("--layers", type=click.IntRange(1), default=10, show_default=True, help="With faults of each kind.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the faults.")
@click.option("--json", "as_json", is_flag=True, help="Every fault as JSON.")
def main(checkpoint: str, bundle: Path | None, formats: Sequence[str], layers: int, seed: int, as_json: bool) -> None:
    """Plant faults into the fp32 artifacts of CHECKPOINT, and count how many are found in the right layer."""
    with tempfile.TemporaryDirectory() as name:
        if bundle is None:
            bundle = Path(name) / "bundle"
            export_checkpoint(find_checkpoint(checkpoint), output=bundle, formats=formats or TAPPED, count=20)
        _measure(checkpoint, bundle, formats, layers, seed, as_json)


def _measure(checkpoint: str, bundle: Path, formats: Sequence[str], layers: int, seed: int, as_json: bool) -> None:
    by_fault: dict[str, list[Hit]] = {}
    with progress("Planting faults") as step:
        for question in questions(bundle, against=checkpoint, formats=formats, precisions=["fp32"]):
            if question.format in TAPPED:
                by_fault[question.format] = measure(question, layers, seed, step)
    if as_json:
        print_json({name: [vars(hit) | {"fault": vars(hit.fault)} for hit in hits] for name, hits in by_fault.items()})
        return
    for name, hits in by_fault.items():
        right = sum(hit.right for hit in hits)
        slowest = max(hit.seconds for hit in hits)
        line(
            f"{name}: {right} of {len(hits)} in the right layer; {slowest:.1f} s the slowest, "
            f"{alone(bundle, name, checkpoint):.1f} s with everything in it"
        )
        for hit in hits:
            if not hit.right:
                named = " + ".join(hit.named) or "no layer"
                line(f"  {hit.fault.kind} in {hit.fault.layer} ({hit.fault.weight}): {named}")


if __name__ == "__main__":
    main()
