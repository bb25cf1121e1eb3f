"""`azx bench` and `azx explain` as functions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from ..bench.measure import Bench, bench
from ..bundle.case.checkpoint import Checkpoint, Place, as_checkpoint
from ..bundle.case.keywords import ReadOptions
from ..bundle.case.option import takes_options
from ..explain.artifact import ArtifactExplanation
from ..explain.explain_bundle import POSITIONS, explain, questions
from ..system.progress import Fraction, Progress, Step, no_step
from .nets import one_or_more

# Before the rounds: the machine's own speed, then loading and warming up each artifact.
STEPS_A_BUNDLE = 10


def bench_bundles(  # noqa: PLR0913 - each is a keyword
    bundles: str | Path | Sequence[str | Path],
    *,
    formats: Sequence[str] = (),
    batch: int = 1,
    threads: int = 1,
    rounds: int = 20,
    simulations: int = 100,
    also: Sequence[str] = (),
    on_step: Step = no_step,
    on_progress: Fraction | None = None,
) -> Bench:
    """Measure every artifact of bundles in its own runtime on this machine, all in turn.

    Args:
        bundles: one folder that azx export wrote, or several.
        formats: these formats alone.
        batch: positions per answer.
        threads: threads of ONNX Runtime, LiteRT and TensorFlow; the other runtimes have one.
        rounds: blocks of answers per artifact.
        simulations: simulations of each search; 0 for none.
        also: further runtimes, such as "litert.js".
        on_step: receives the name of each step.
        on_progress: receives the fraction that is done, an estimate, and the step's name.

    Returns:
        The times and sizes of each artifact.

    Raises:
        BundleError: a bundle or an artifact is missing or damaged. UnsafeArtifact if one does more than calculate.
        AzxError: a format does not exist, or nothing can be run here.

    """
    places = one_or_more(bundles)
    step = Progress("azx.bench", 2 * rounds + STEPS_A_BUNDLE * len(places), on_step, on_progress)
    how = {"batch": batch, "threads": threads, "rounds": rounds, "simulations": simulations}
    done = bench(places, formats=formats, also=also, on_step=step, **how)
    step.end(f"{len(done.artifacts)} artifacts measured")
    return done


@takes_options(Checkpoint)
def explain_bundle(
    target: str | Path,
    *,
    against: Place | Checkpoint = None,
    formats: Sequence[str] = (),
    precisions: Sequence[str] = (),
    count: int = POSITIONS,
    on_step: Step = no_step,
    on_progress: Fraction | None = None,
    **reading: Unpack[ReadOptions],
) -> list[ArtifactExplanation]:
    """Say which layer of each artifact is at fault, in the words of its checkpoint.

    Args:
        target: a bundle, or one artifact. A bundle's files may differ from those that its manifest records.
        against: the checkpoint; sought beside the bundle and among the shipped ones if left out. It is read by the
            options below.
        formats: these formats alone.
        precisions: these precisions alone.
        count: number of positions to compare on.
        on_step: receives the name of each step.
        on_progress: receives the fraction that is done, and the step's name.
        options: as below.

    Returns:
        For each artifact: the first differing bytes, then every layer's own error with its band.

    Raises:
        BundleError: there is no such bundle or artifact, or one does not run.
        UnsafeArtifact: an artifact does more than calculate; none was run.
        CheckpointError: the checkpoint is missing or unreadable.
        UnsupportedLayer: the float64 witness has no rule for a layer.

    """
    names: list[str] = []
    checkpoint = as_checkpoint(against, **reading)
    items = questions(
        target, against=checkpoint, formats=formats, precisions=precisions, count=count, on_step=names.append
    )
    step = Progress("azx.explain", len(names) + len(items), on_step, on_progress)
    for name in names:
        step(name)
    done = explain(items, on_step=step)
    step.end(f"{len(done)} artifacts explained")
    return done
