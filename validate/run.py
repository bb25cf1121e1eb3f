"""The tasks of the two worker processes: an artifact's answers, Keras' and the witness', as plain data."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import AzxError, NotRunHere, Refused, UnsupportedLayer, first_line
from ..export.checkpoint.layer_graph import LayerGraph
from ..export.formats.table import FORMATS, Format, FurtherRuntime
from ..export.graph.frozen import Port
from ..export.original.live import LiveModel
from ..system.installed import not_run_here
from ..system.workers import Workers, result
from .answers import Answers
from .asked import RepeatedRun, Sample, ask_again
from .runners.runner import Runner, Signature
from .together import answer

Feeds = Mapping[str, NDArray[Any]]
Shape = tuple[int | None, ...]


@dataclass(frozen=True)
class Run:
    """The result of running one artifact in its runtime.

    `problems` break the contract; `damage` is the reason why it could not be loaded or run at all. `not_run` names the
    runtime that is not installed here; the artifact was then not tested. `further` names the runtime if it is not the
    format's own; `also` are the runs in such runtimes. `together` is true if positions were answered many at a time, in
    another form than the file's own. `again` are the answers at `sample`, rows that were asked in other ways too.
    """

    runtime: str
    outputs: dict[str, NDArray[Any]] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    damage: str | None = None
    seconds: float = 0.0
    not_run: str | None = None
    further: str | None = None
    also: tuple[Run, ...] = ()
    together: bool = False
    again: tuple[RepeatedRun, ...] = ()
    sample: Sample | None = None


@dataclass(frozen=True, eq=False)
class PendingRun:
    """A pending run: `file` is the artifact's path in its bundle.

    `further` is its runtime if that is not the format's own; `also` are the runs in such runtimes. `again` starts the
    same run with every position in the file's own form.
    """

    file: str
    entry: Format
    task: Future[Run]
    further: FurtherRuntime | None = None
    also: tuple[PendingRun, ...] = ()
    again: Callable[[], PendingRun] | None = None

    def wait(self) -> Run:
        """The result; an artifact that ended its process counts as damaged."""
        title = self.further.title if self.further else self.entry.title
        try:
            run = result(self.task, f"running {title}")
        except AzxError as error:
            run = Run(title, damage=str(error))
        return replace(run, further=title if self.further else None, also=tuple(each.wait() for each in self.also))


@dataclass(frozen=True, eq=False)
class RunTask:
    """An artifact to run: `file` in `folder`, with the inputs `feeds`; it must have `ports`.

    `own_form`, bool (N,), marks positions to answer in the file's own form, even if another is faster; None: all of
    them. The positions of `sample` are asked in every other way too; None: none.
    """

    entry: Format
    folder: Path
    file: str
    feeds: Feeds
    ports: Signature
    own_form: NDArray[np.bool_] | None = None
    sample: Sample | None = None


def start(workers: Workers, task: RunTask, also: Sequence[str] = ()) -> PendingRun:
    """Start to run an artifact in the process for its runtime, and in the further runtimes `also`."""
    entry = task.entry
    submit = workers.tensorflow if entry.needs_tensorflow else workers.light
    path = task.folder / task.file
    run = submit(run_artifact, entry.name, path, task.feeds, task.ports, None, task.own_form, task.sample)
    again = partial(start, workers, replace(task, own_form=None))
    return PendingRun(task.file, entry, run, also=start_also(workers, task, also), again=again)


def start_also(workers: Workers, task: RunTask, also: Sequence[str]) -> tuple[PendingRun, ...]:
    """Start only the runs in further runtimes; those for other formats are skipped."""
    entry, runs = task.entry, []
    for each in entry.also:
        if each.name in also:
            path = task.folder / task.file
            run = workers.light(run_artifact, entry.name, path, task.feeds, task.ports, each.runner)
            runs.append(PendingRun(task.file, entry, run, each))
    return tuple(runs)


def run_artifact(
    format_name: str,
    path: Path,
    feeds: Feeds,
    ports: Signature,
    further: str | None = None,
    own_form: NDArray[np.bool_] | None = None,
    sample: Sample | None = None,
) -> Run:
    """Open an artifact, check its signature against the contract, and let it answer the feeds.

    `further` is the runner of a further runtime to open the artifact with; `own_form` and `sample` are those of
    `RunTask`.
    """
    entry = FORMATS[format_name]
    runtime = next((each.title for each in entry.also if each.runner == further), entry.title)
    clauses: tuple[str, ...] = ()
    try:
        runner: Runner = entry.open(path, further)
        with runner:
            runtime = runner.runtime
            nodes = {port.name: port.node for port in ports.outputs if port.node}
            clauses = (*problems(runner.signature(), ports), *runner.list_misnamed_nodes(nodes))
            if any(clause.startswith("input") for clause in clauses):
                return Run(runtime, {}, clauses)
            started = time.perf_counter()
            answers, together = answer(runner, feeds, own_form)
            seconds = time.perf_counter() - started
            again = ask_again(runner, feeds, nodes, sample) if sample else ()
            return Run(runtime, answers, clauses, None, seconds, together=together, again=again, sample=sample)
    except NotRunHere as error:
        return Run(runtime, not_run=str(error))
    except ImportError as error:
        return Run(runtime, not_run=str(not_run_here(error)))
    except Refused as error:
        return Run(runtime, problems=(*clauses, str(error).rstrip(".")))
    except AzxError as error:
        return Run(runtime, problems=clauses, damage=None if clauses else str(error))
    except Exception as error:  # a runtime may raise any error on a graph that does not fit
        return Run(runtime, problems=(*clauses, f"does not run ({type(error).__name__}: {first_line(error)[:200]})"))


def problems(signature: Signature, ports: Signature) -> list[str]:
    """Each way in which a signature breaks the contract, as a clause; empty if it matches."""
    return [*_compare("input", signature.inputs, ports.inputs), *_compare("output", signature.outputs, ports.outputs)]


def _compare(kind: str, ports: Sequence[Port], wanted: Sequence[Port]) -> Iterator[str]:
    names, stated = [port.name for port in wanted], [port.name for port in ports]
    missing = [name for name in names if name not in stated]
    for name in missing:
        yield f"{kind} '{name}' is missing (it has {_list_names(stated)})"
    for name in (name for name in stated if name not in names):
        yield f"{kind} '{name}' is not in the contract"
    if not missing and sorted(names) == sorted(stated) and names != stated:
        yield f"the {kind}s come as {_list_names(stated)} and not as {_list_names(names)}"
    by_name = {port.name: port for port in ports}
    for want in wanted:
        port = by_name.get(want.name)
        if port and not _same_shape(port.shape, want.shape):
            yield f"{kind} '{port.name}' has shape {_shape_text(port.shape)} and not {_shape_text(want.shape)}"
        if port and port.dtype != "float32":
            yield f"{kind} '{port.name}' is {port.dtype} and not float32"


def _same_shape(shape: Shape, wanted: Shape) -> bool:
    """Whether two shapes are equal; a runtime may report an output's axis as free."""
    return len(shape) == len(wanted) and all(
        a == b or (a is None and wanted[0] is None) for a, b in zip(shape, wanted, strict=True)
    )


def _shape_text(shape: Shape) -> str:
    return f"({', '.join('batch' if size is None else str(size) for size in shape)})"


def _list_names(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names) or "none"


def witness(graph: LayerGraph, feeds: Feeds) -> Answers:
    """The float64 witness' answers; without answers if it does not know a layer of the network."""
    from .witness.evaluate import evaluate

    try:
        return Answers("float64 witness", evaluate(graph, feeds))
    except UnsupportedLayer as error:
        return Answers("float64 witness", missing=str(error))


def rounded(graph: LayerGraph, feeds: Feeds) -> Answers:
    """The witness' answers in float32, if it knows all layers: they show how much rounding alone changes."""
    from .witness.evaluate import evaluate

    return Answers("float32 witness", evaluate(graph, feeds, np.float32))


def reference(graph: LayerGraph, feeds: Feeds) -> Answers:
    """Keras' answers; without answers if it cannot run this network on this machine."""
    from .reference import ReferenceUnavailable, run_reference

    try:
        return run_reference(graph, feeds)
    except ReferenceUnavailable as error:
        return Answers("Keras", missing=str(error))
    except ImportError as error:
        return Answers("Keras", missing=f"Keras did not run: {not_run_here(error)}")


def original(workers: Workers, graph: LayerGraph, model: LiveModel | None, feeds: Feeds) -> Callable[[], Answers]:
    """A function that returns the original's answers: from the worker with TensorFlow, or from the model in memory.

    CheckpointError if a model in memory gives no answer.
    """
    if model is not None:
        from .reference import run_live

        return partial(run_live, graph, model, feeds)
    return partial(result, workers.tensorflow(reference, graph, feeds), "running Keras")
