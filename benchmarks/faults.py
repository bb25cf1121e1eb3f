"""Plants faults into artifacts, brings their hashes up to date, and measures which of them the proof sees.

A fault that passes the proof is run on many more legal positions. docs/parity.md bounds the share of positions whose
error exceeds the limit. It measures and does not judge: the exit code is 0 whatever it finds.

TF.js and Core ML are written with batch 1, as `azx export` writes them, and proved as it proves them: most positions
many at a time, and what is not equal then once more in the file's own form. The many positions run so too. The other
formats have a free batch. What was measured lies in build/faults, a line for each fault, and is not measured again.
"""

from __future__ import annotations

import base64
import json
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT))  # at the end: for `benchmarks` alone, no name of the root may hide a library's
sys.path.append(str(ROOT / "tests" / "support"))

from sibling import sibling  # noqa: E402

from azx import export_checkpoint  # noqa: E402
from azx.bundle.case.positions import recorded_positions  # noqa: E402
from azx.bundle.case.settings import artifact_feeds, policy_width  # noqa: E402
from azx.bundle.contents.golden import GOLDEN_POSITIONS  # noqa: E402
from azx.bundle.contents.manifest import heads_in, load_manifest  # noqa: E402
from azx.commands.printed.output import line, print_json, progress  # noqa: E402
from azx.errors import AzxError  # noqa: E402
from azx.export.checkpoint.head import POLICY, Head  # noqa: E402
from azx.export.checkpoint.layer_graph import LayerGraph  # noqa: E402
from azx.export.checkpoint.located import find_checkpoint  # noqa: E402
from azx.export.checkpoint.read import read_checkpoint  # noqa: E402
from azx.export.formats.table import FORMATS  # noqa: E402
from azx.export.graph.frozen import Port  # noqa: E402
from azx.games.known import recognition  # noqa: E402
from azx.system.workers import Workers, result  # noqa: E402
from azx.validate import run as asked  # noqa: E402
from azx.validate.compare import changes, legal_of, scaled_errors  # noqa: E402
from azx.validate.positions import Positions, positions  # noqa: E402
from azx.validate.proof.proof import could_hide, judge  # noqa: E402
from azx.validate.proof.truth import Truth, establish  # noqa: E402
from azx.validate.runners.runner import Signature  # noqa: E402
from azx.validate.tolerances import fp32_limit  # noqa: E402
from azx.validate.witness.evaluate import evaluate  # noqa: E402

Rng = np.random.Generator
# Positions that an artifact answers at a time where there are many.
STEP = 10_000
# Of those, what an artifact of batch 1 answers in its own form, to be compared with its answers to many at a time.
IN_OWN_FORM = 20
# Written with batch 1: their runtimes here answer many positions at a time of such a file.
OF_BATCH_1 = ("tfjs", "coreml")
SOUND = "none: the sound file"
PLACE = ROOT / "build" / "faults"


def artifacts() -> Any:
    """The classes that open, change and save each format, from beside the tests that use them."""
    return sibling(str(ROOT / "tests" / "validate" / "test_faults.py"), "fault_artifacts")


def change_number(rank: int, change: Callable[[float], float]) -> Callable[[Any, Rng], None]:
    """One number of any bias (`rank` 1) or kernel (2), changed."""

    def plant(artifact: Any, rng: Rng) -> None:
        name, values = _one_of(artifact, rng, rank)
        at = int(rng.random() * values.size)
        values.flat[at] = change(float(values.flat[at]))
        artifact.put(name, values)

    return plant


def change_channels(change: Callable[[NDArray[np.float32], Rng], None]) -> Callable[[Any, Rng], None]:
    """The rows or the columns of a kernel, changed."""

    def plant(artifact: Any, rng: Rng) -> None:
        name, values = _one_of(artifact, rng, 2)
        change(np.moveaxis(values, 0 if rng.random() < 0.5 else -1, 0), rng)
        artifact.put(name, values)

    return plant


def zero_one(rows: NDArray[np.float32], rng: Rng) -> None:
    """One of them is 0."""
    rows[int(rng.random() * len(rows))] = 0


def swap_two(rows: NDArray[np.float32], rng: Rng) -> None:
    """Two of them have changed places."""
    one, other = (int(rng.random() * len(rows)) for _ in range(2))
    rows[[one, other]] = rows[[other, one]]


def swap_weights(artifact: Any, rng: Rng) -> None:
    """Two weights of the kernel that makes the policy or the value: the ones with the fewest outputs, or the most."""
    kernels = sorted(_of_rank(artifact, 2), key=lambda pair: pair[1].size)
    name, values = kernels[0 if rng.random() < 0.5 else min(1, len(kernels) - 1)]
    one, other = (int(rng.random() * values.size) for _ in range(2))
    values.flat[one], values.flat[other] = values.flat[other], values.flat[one]
    artifact.put(name, values)


def change_activation(artifact: Any, rng: Rng) -> None:
    """Relu6 for one Relu."""
    ACTIVATION[type(artifact).__name__](artifact, rng)


FAULTS: dict[str, Callable[[Any, Rng], None]] = {
    "a weight's sign": change_number(2, lambda w: -w),
    "a weight is 0": change_number(2, lambda w: 0.0),
    "a weight times 1.1": change_number(2, lambda w: w * 1.1),
    "a weight and 0.1": change_number(2, lambda w: w + 0.1),
    "a channel is 0": change_channels(zero_one),
    "two channels swapped": change_channels(swap_two),
    "a bias is 0": change_number(1, lambda b: 0.0),
    "a bias and 0.01": change_number(1, lambda b: b + 0.01),
    "two weights of a head swapped": swap_weights,
    "another activation": change_activation,
    "a weight is NaN": change_number(2, lambda _: float("nan")),
}


def _of_rank(artifact: Any, rank: int) -> list[tuple[str, NDArray[np.float32]]]:
    """The weights with one axis, or with at least two, as copies, in the order of their names."""
    found = sorted(artifact.weights().items())
    fits = [(name, values) for name, values in found if (values.ndim == 1 if rank == 1 else values.ndim >= 2)]
    return [(name, np.array(values)) for name, values in fits if values.size > 1]


def _one_of(artifact: Any, rng: Rng, rank: int) -> tuple[str, NDArray[np.float32]]:
    """One of them, the more likely the larger it is."""
    found = _of_rank(artifact, rank)
    upto = np.cumsum([values.size for _, values in found])
    return found[int(np.searchsorted(upto, rng.random() * upto[-1], side="right"))]


def _pick(items: list[Any], rng: Rng) -> Any:
    return items[int(rng.random() * len(items))]


def _pb_activation(artifact: Any, rng: Rng) -> None:
    _pick([node for node in artifact.graph.node if node.op == "Relu"], rng).op = "Relu6"


def _onnx_activation(artifact: Any, rng: Rng) -> None:
    import onnx

    node = _pick([node for node in artifact.graph.node if node.op_type == "Relu"], rng)
    limit = [onnx.numpy_helper.from_array(np.array(number, np.float32), f"limit {number}") for number in (0, 6)]
    artifact.graph.initializer.extend(limit)
    node.op_type = "Clip"
    node.input.extend(one.name for one in limit)


def _tflite_activation(artifact: Any, rng: Rng) -> None:
    options = [
        o.builtinOptions
        for o in artifact.graph.operators
        if getattr(o.builtinOptions, "fusedActivationFunction", 0) == 1
    ]
    _pick(options, rng).fusedActivationFunction = 3


def _tfjs_activation(artifact: Any, rng: Rng) -> None:
    relu, relu6 = (base64.b64encode(name).decode() for name in (b"Relu", b"Relu6"))
    lists = [
        node["attr"]["fused_ops"]["list"]["s"]
        for node in artifact.nodes.values()
        if "fused_ops" in node.get("attr", {})
    ]
    names = _pick([names for names in lists if relu in names], rng)
    names[names.index(relu)] = relu6


def _coreml_activation(artifact: Any, rng: Rng) -> None:
    _pick([operation for operation in artifact.block.operations if operation.type == "relu"], rng).type = "relu6"


ACTIVATION: dict[str, Callable[[Any, Rng], None]] = {
    "Pb": _pb_activation,
    "Onnx": _onnx_activation,
    "TfLite": _tflite_activation,
    "TfJs": _tfjs_activation,
    "CoreMl": _coreml_activation,
}


@dataclass(frozen=True, eq=False)
class Sample:
    """Positions under the artifacts' names, what each head must answer, and the limits."""

    boards: Positions
    truth: Truth


@dataclass(eq=False)
class Bench:
    """A sound bundle, what it is compared with, and the workers that run its artifacts."""

    folder: Path
    graph: LayerGraph
    workers: Workers

    def __post_init__(self) -> None:
        self.manifest = load_manifest(self.folder)
        self.heads: tuple[Head, ...] = heads_in(self.manifest)
        self.paths = {artifact.format: artifact.path for artifact in self.manifest.artifacts}
        self.names = {port.source_name: port.name for port in self.manifest.inputs}
        self.reading = recognition.reading_from(self.manifest.reading, policy_width(self.heads))
        recorded = self.manifest.positions
        seed, looked = recorded.seed or 0, recorded.looked_through
        drawn = recorded_positions(self.graph, self.heads, self.reading, seed, recorded.count, looked)
        reference = result(self.workers.tensorflow(asked.reference, self.graph, drawn.feeds), "running Keras")
        exact = result(self.workers.light(asked.witness, self.graph, drawn.feeds), "running the witness")
        boards = replace(drawn, feeds=artifact_feeds(drawn, self.names))
        self.proof = Sample(boards, establish(self.heads, reference, exact))
        self.own_form = np.zeros(len(boards), np.bool_)  # as `Case` has it
        self.own_form[:GOLDEN_POSITIONS] = self.own_form[boards.drawn :] = True

    def many(self, count: int) -> Sample:
        """`count` other legal positions, with the witness' answers."""
        drawn = positions(self.reading, self.graph.inputs[0].name, count, seed=7)
        exact = evaluate(self.graph, drawn.feeds)
        expected = {head.name: exact[head.source_name] for head in self.heads}
        boards = replace(drawn, feeds=artifact_feeds(drawn, self.names))
        return Sample(boards, replace(self.proof.truth, expected=expected))

    def answers(
        self, name: str, path: Path, feeds: Mapping[str, NDArray[Any]], own_form: NDArray[np.bool_] | None = None
    ) -> asked.Run:
        """What the artifact at `path` answers, in the process that its runtime belongs in; `own_form` as `RunTask`."""
        batch = self.manifest.batch
        inputs = tuple(Port(port.name, (batch, *port.shape)) for port in self.manifest.inputs)
        outputs = tuple(Port(head.name, (batch, *head.shape), node=head.node) for head in self.heads)
        task = asked.RunTask(FORMATS[name], path.parent, path.name, feeds, Signature(inputs, outputs), own_form)
        return asked.start(self.workers, task).wait()

    def caught(self, name: str, path: Path) -> tuple[bool, bool]:
        """Whether the proof calls the artifact unequal: by the drawn positions alone, and by all of them."""
        feeds, drawn, every = self.proof.boards.feeds, self.proof.boards.drawn, len(self.proof.boards)
        run = self.answers(name, path, feeds, self.own_form)
        if run.together and not self.passes(name, run, every):
            run = self.answers(name, path, feeds)
        return not self.passes(name, run, drawn), not self.passes(name, run, every)

    def passes(self, name: str, run: asked.Run, count: int) -> bool:
        """Whether the proof on the first `count` positions calls the artifact good."""
        whole = self.proof.truth
        exact = None if whole.exact is None else {name: rows[:count] for name, rows in whole.exact.items()}
        truth = replace(whole, expected={name: rows[:count] for name, rows in whole.expected.items()}, exact=exact)
        legal = self.proof.boards.legal
        part = replace(run, outputs={head: answer[:count] for head, answer in run.outputs.items()})
        return judge(name, name, part, self.heads, truth, None if legal is None else legal[:count]).passed

    def share_over_the_limit(self, name: str, path: Path, many: Sample) -> float:
        """The share of many positions with a head, or a legal move's chance, farther off than the proof allows."""
        over, proof = 0, self.proof
        for at in range(0, len(many.boards), STEP):
            rows = slice(at, at + STEP)
            feeds = {key: feed[rows] for key, feed in many.boards.feeds.items()}
            own_form = np.arange(len(next(iter(feeds.values())))) < IN_OWN_FORM
            run = self.answers(name, path, feeds, own_form)
            if run.problems or run.damage:
                raise AzxError(str(run.problems or run.damage))
            wrong = np.zeros(len(next(iter(run.outputs.values()))), np.bool_)
            for head in self.heads:
                errors = scaled_errors(run.outputs[head.name], many.truth.expected[head.name][rows])
                limit = fp32_limit(self.proof.truth.distances[head.name])
                wrong |= ~(errors.reshape(len(errors), -1).max(axis=1) <= limit)
                rule = proof.truth.rule(head, legal_of(head, proof.boards.legal)) if head.role == POLICY else None
                if rule is not None:
                    legal = legal_of(head, None if many.boards.legal is None else many.boards.legal[rows])
                    answer, expected = run.outputs[head.name], many.truth.expected[head.name][rows]
                    wrong |= ~(changes(answer, expected, legal, head.policy_range) <= rule.limit)
            over += int(wrong.sum())
        return over / len(many.boards)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("checkpoint", default="dots_and_boxes")
@click.option("--faults", type=click.IntRange(1), default=200, show_default=True, help="Faults in each format.")
@click.option("--positions", "count", type=click.IntRange(1), default=100_000, show_default=True, help="To run on.")
@click.option("--format", "formats", multiple=True, type=click.Choice(list(FORMATS)), help="Only this one.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the faults.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
def main(checkpoint: str, faults: int, count: int, formats: tuple[str, ...], seed: int, as_json: bool) -> None:
    """Plant faults into every format of CHECKPOINT and count those that the proof calls good."""
    source, chosen = find_checkpoint(checkpoint), formats or tuple(name for name in FORMATS if name != "coreai")
    graph, found, many, about = read_checkpoint(source), list[dict[str, Any]](), None, dict[str, Any]()
    with tempfile.TemporaryDirectory(prefix="azx-faults-") as scratch, Workers() as workers:
        with progress("Planting", len(chosen) * (faults + 1) + 1) as step:
            for name in chosen:
                folder = Path(scratch) / name
                batch = 1 if name in OF_BATCH_1 else None
                export_checkpoint(source, output=folder, formats=name, batch=batch, noted=False)
                bench = Bench(folder, graph, workers)
                if many is None:
                    step(f"answering {count:,} positions")
                    many = bench.many(count)
                found += measure(bench, name, faults, seed, many, step)
                about = about or about_the_proof(bench)
    about = {"checkpoint": source.name, "faults": faults, "run_on": count, **about}
    if as_json:
        print_json({**about, "found": found})
        return
    report(found, chosen, about)


def about_the_proof(bench: Bench) -> dict[str, Any]:
    """How many positions prove, and on what share of random ones the verdict says that an error could hide."""
    drawn = bench.proof.boards
    hidden = could_hide(drawn.parts[0].independent or drawn.drawn)
    return {"drawn": drawn.drawn, "extreme": drawn.extreme, "could_hide": hidden}


def measure(bench: Bench, name: str, faults: int, seed: int, many: Sample, step: Any) -> list[dict[str, Any]]:
    """A row for the sound file, then one for each fault in one format.

    It says whether the fault was caught, and how often it shows where it was not.
    """
    kept = Kept(PLACE / f"{bench.graph.source.sha256[:12]}.{name}.{seed}.{len(many.boards)}.jsonl")
    sound, rows = bench.folder / bench.paths[name], list[dict[str, Any]]()
    for number in range(-1, faults):
        kind = list(FAULTS)[number % len(FAULTS)] if number >= 0 else SOUND
        step(f"{FORMATS[name].title}: {kind}")
        if number not in kept.rows:
            path = sound
            if number >= 0:
                path = sound.with_name(f"faulty {sound.name}")
                copy_artifact(sound, path)
                artifact = artifacts().KINDS[name](path)
                FAULTS[kind](artifact, np.random.Generator(np.random.PCG64([seed, number])))
                artifact.save()
            before, after = bench.caught(name, path)
            share = None if before and after else bench.share_over_the_limit(name, path, many)
            kept.add(number, {"format": name, "fault": kind, "caught_by_drawn": before, "caught": after, "over": share})
        rows.append(kept.rows[number])
    return rows


class Kept:
    """The rows that were measured before, by the number of their fault, one a line in a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self.rows: dict[int, dict[str, Any]] = {row.pop("number"): row for row in map(json.loads, lines)}

    def add(self, number: int, row: dict[str, Any]) -> None:
        """Keep one more, on the disk too."""
        self.rows[number] = row
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"number": number, **row}) + "\n")


def copy_artifact(sound: Path, path: Path) -> None:
    """A file or folder again at `path`, in place of what is there."""
    if sound.is_dir():
        shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(sound, path)
    else:
        shutil.copyfile(sound, path)


def report(found: list[dict[str, Any]], formats: tuple[str, ...], about: Mapping[str, Any]) -> None:
    """Print a line a format, and one for each kind of fault that was called good."""
    line(json.dumps(about))
    for name in formats:
        own = [row for row in found if row["format"] == name]
        sound, rows = own[0], own[1:]
        before, after = (sum(row[key] for row in rows) for key in ("caught_by_drawn", "caught"))
        left = [row for row in rows if not row["caught"]]
        shown = sum(row["over"] > 0 for row in left)
        most = max((row["over"] for row in left), default=0.0)
        line(
            f"{FORMATS[name].title}: {len(rows)} faults, {before} caught by the drawn positions, {after} with the "
            f"extreme ones; of {len(left)} called good {shown} ever show, the worst in {most:.4%} of the positions, "
            f"the sound file in {sound['over'] or 0:.4%}"
        )
    for kind, number in Counter(row["fault"] for row in found if not row["caught"] and row["fault"] != SOUND).items():
        line(f"  called good: {number} x {kind}")


if __name__ == "__main__":
    main()
