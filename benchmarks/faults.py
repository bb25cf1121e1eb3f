"""Plants faults into artifacts, brings their hashes up to date, and measures which of them the proof sees.

A fault that passes the proof is run on many more legal positions. docs/parity.md bounds the share of positions whose
error exceeds the limit. It measures and does not judge: the exit code is 0 whatever it finds.

TF.js and Core ML are written with batch 1, as `azx export` writes them, and proved as it proves them: most positions
many at a time, and what is not equal then once more in the file's own form. The many positions run so too. The other
formats have a free batch. What was measured lies in build/faults, a line for each fault, and is not measured again.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
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
from azx.bundle.case.detection import artifact_feeds, policy_width  # noqa: E402
from azx.bundle.case.positions import recorded_positions  # noqa: E402
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
from benchmarks.makes.planted import FAULTS  # noqa: E402

# Positions that an artifact answers at a time where there are many.
STEP, STEP_OF_BATCH_1 = 10_000, 50_000
# Of those, what an artifact of batch 1 answers in its own form, to be compared with its answers to many at a time. Of
# the positions over a limit together, so many are asked for again in that form: one that is over there too says it all.
IN_OWN_FORM, ASKED_AGAIN = 20, 8
# Written with batch 1: their runtimes here answer many positions at a time of such a file.
OF_BATCH_1 = ("tfjs", "coreml")
SOUND = "none: the sound file"
PLACE = ROOT / "build" / "faults"


def artifacts() -> Any:
    """The classes that open, change and save each format, from beside the tests that use them."""
    return sibling(str(ROOT / "tests" / "validate" / "test_faults.py"), "fault_artifacts")


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
            rows = np.flatnonzero(self.over(run, self.proof, slice(None)))[:ASKED_AGAIN]
            few = self.answers(name, path, {key: feed[rows] for key, feed in feeds.items()})
            if self.over(few, self.proof, rows)[rows < drawn].any():
                return True, True
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
        over, step = 0, STEP_OF_BATCH_1 if name in OF_BATCH_1 else STEP
        for at in range(0, len(many.boards), step):
            rows = slice(at, at + step)
            feeds = {key: feed[rows] for key, feed in many.boards.feeds.items()}
            own_form = np.arange(len(next(iter(feeds.values())))) < IN_OWN_FORM
            run = self.answers(name, path, feeds, own_form)
            if run.problems or run.damage:
                raise AzxError(str(run.problems or run.damage))
            over += int(self.over(run, many, rows).sum())
        return over / len(many.boards)

    def over(self, run: asked.Run, sample: Sample, rows: slice | NDArray[np.intp]) -> NDArray[np.bool_]:
        """Where the answers to these rows of a sample are farther off than the proof allows, bool (N,)."""
        wrong = np.zeros(len(next(iter(run.outputs.values()))), np.bool_)
        for head in self.heads:
            answer, expected = run.outputs[head.name], sample.truth.expected[head.name][rows]
            limit = fp32_limit(self.proof.truth.distances[head.name])
            errors = scaled_errors(answer, expected)
            wrong |= ~(errors.reshape(len(errors), -1).max(axis=1) <= limit)
            if head.role == POLICY:
                rule = self.proof.truth.rule(head, legal_of(head, self.proof.boards.legal))
                legal = legal_of(head, None if sample.boards.legal is None else sample.boards.legal[rows])
                if rule is not None:
                    wrong |= ~(changes(answer, expected, legal, head.policy_range) <= rule.limit)
        return wrong


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
    graph, rows, many, about = read_checkpoint(source), list[dict[str, Any]](), None, dict[str, Any]()
    steps = len(chosen) * (faults + 1) + 1
    with (
        tempfile.TemporaryDirectory(prefix="azx-faults-") as scratch,
        Workers() as workers,
        progress("Planting", steps) as step,
    ):
        for name in chosen:
            folder, batch = Path(scratch) / name, 1 if name in OF_BATCH_1 else None
            export_checkpoint(source, output=folder, formats=name, batch=batch, noted=False)
            bench = Bench(folder, graph, workers)
            if many is None:
                step(f"answering {count:,} positions")
                many = bench.many(count)
            rows += measure(bench, name, faults, seed, many, step)
            about = about or about_the_proof(bench)
    about = {"checkpoint": source.name, "faults": faults, "run_on": count, **about}
    if as_json:
        print_json({**about, "found": rows})
        return
    report(rows, chosen, about)


def about_the_proof(bench: Bench) -> dict[str, Any]:
    """How many positions prove, and on what share of random ones the verdict says that an error could hide."""
    drawn = bench.proof.boards
    hidden = could_hide(drawn.parts[0].independent or drawn.drawn)
    return {"drawn": drawn.drawn, "extreme": drawn.extreme, "could_hide": hidden}


def measure(bench: Bench, name: str, faults: int, seed: int, many: Sample, step: Any) -> list[dict[str, Any]]:
    """A row for the sound file, then one for each fault in one format.

    It says whether the fault was caught, and how often it shows where it was not.
    """
    store = Kept(PLACE / f"{bench.graph.source.sha256[:12]}.{name}.{seed}.{len(many.boards)}.jsonl")
    sound, rows = bench.folder / bench.paths[name], list[dict[str, Any]]()
    for number in range(-1, faults):
        kind = list(FAULTS)[number % len(FAULTS)] if number >= 0 else SOUND
        step(f"{FORMATS[name].title}: {kind}")
        if number not in store.rows:
            path = sound
            if number >= 0:
                path = sound.with_name(f"faulty {sound.name}")
                copy_artifact(sound, path)
                artifact = artifacts().KINDS[name](path)
                FAULTS[kind](artifact, np.random.Generator(np.random.PCG64([seed, number])))
                artifact.save()
            before, after = bench.caught(name, path)
            share = None if before and after else bench.share_over_the_limit(name, path, many)
            store.add(
                number, {"format": name, "fault": kind, "caught_by_drawn": before, "caught": after, "over": share}
            )
        rows.append(store.rows[number])
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
