"""How often what `--precision auto` has chosen is inside its gate on other positions: fresh sets by other seeds.

    python benchmarks/gates.py connect4 gomoku --sets 20

Without names the shipped networks. Each is exported as TFLite with --precision auto into build/gates, if it is not
there yet (--anew does it again). The proved float32 artifact then plays itself: 1,000 positions by a seed of their own,
and 500 random legal ones, make a set. It also gives the answers that the chosen artifact is held to. The table in
Markdown says how many sets pass and, of a thousand sets drawn from all of these positions together, what share.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from azx import export_checkpoint
from azx.bundle.case.detection import policy_width
from azx.bundle.contents.manifest import heads_in, read_manifest
from azx.export.checkpoint.head import POLICY
from azx.export.checkpoint.located import shipped_names
from azx.export.formats.precisions.precision import FP32
from azx.export.formats.table import FORMATS
from azx.games.known import recognition
from azx.manifest import Artifact, Manifest
from azx.validate.gate.gate import Gate
from azx.validate.gate.limits import limits_from
from azx.validate.gate.positions import RANDOM, SELF_PLAY, gate_positions
from azx.validate.gate.risk import OTHERS
from azx.validate.gate.verdict import judge, readings_of
from azx.validate.positions import Positions, positions
from azx.validate.self_play import self_play

PLACE = Path("build/gates")
COLUMNS = ("network", "precision", "in float", "sets", "inside", "of 1,000 drawn of all", "positions")
# Beyond what an export draws by.
FIRST_SEED, DRAWN = 50_000, 1_000


def main() -> None:
    """A row for each network."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("networks", nargs="*", help="Shipped names or files; default: the shipped ones.")
    options.add_argument("--sets", type=int, default=20)
    options.add_argument("--anew", action="store_true", help="Export again what was exported before.")
    given = options.parse_args()
    print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}", flush=True)
    for network in given.networks or shipped_names():
        folder = PLACE / Path(network).stem
        if given.anew or not folder.exists():
            export_checkpoint(network, output=folder, formats="tflite", precision="auto", noted=False)
        print(f"| {' | '.join(row(folder, given.sets))} |", flush=True)


def row(folder: Path, sets: int) -> list[str]:
    """How the artifact that was chosen in a bundle does on so many sets."""
    manifest = read_manifest(folder)
    chosen = next((each for each in manifest.artifacts if each.precision != FP32), None)
    if chosen is None:
        return [folder.name, FP32, "", "", "", "", ""]
    parts, expected, answers = asked(folder, manifest, chosen, sets)
    gates = [gate_of(manifest, chosen, parts[at : at + 2]) for at in range(0, len(parts), 2)]
    inside, at = 0, 0
    for gate in gates:
        rows = slice(at, at + len(gate.positions))
        inside += passes(gate, expected, answers, np.arange(rows.start, rows.stop))
        at = rows.stop
    share = np.mean(list(_drawn_of_all(manifest, chosen, parts, expected, answers)))
    told = [folder.name, chosen.precision, str(len(chosen.float_layers or ())), str(sets)]
    return [*told, str(inside), f"{share:.1%}", f"{at:,}"]


def asked(
    folder: Path, manifest: Manifest, chosen: Artifact, sets: int
) -> tuple[list[tuple[str, Positions]], dict[str, Any], dict[str, Any]]:
    """The parts of all sets by the names of their kinds, and what float32 and the chosen artifact answer, in a row."""
    heads, exact = heads_in(manifest), next(each for each in manifest.artifacts if each.precision == FP32)
    reading = recognition.reading_from(manifest.reading, policy_width(heads))
    policy = next(head for head in heads if head.role == POLICY)
    name, parts = manifest.inputs[0].name, []
    with FORMATS[exact.format].open(folder / exact.path) as original:
        for seed in range(FIRST_SEED, FIRST_SEED + sets):
            ask = lambda boards: original.run({name: boards})[policy.name]  # noqa: E731 - asked in this turn alone
            game = self_play(reading, name, ask, policy.policy_range, OTHERS[SELF_PLAY], seed)
            parts += [(SELF_PLAY, game), (RANDOM, positions(reading, name, OTHERS[RANDOM], seed))]
        every = {name: np.concatenate([part.feeds[name] for _, part in parts])}
        expected = original.run(every)
    with FORMATS[chosen.format].open(folder / chosen.path) as runner:
        return parts, expected, runner.run(every)


def gate_of(manifest: Manifest, chosen: Artifact, parts: list[tuple[str, Positions]]) -> Gate:
    """The gate of the artifact's own limits on some parts; what is expected comes with the rows."""
    heads = heads_in(manifest)
    readings = readings_of(heads, {head.name: head for head in manifest.outputs})
    limits = limits_from(chosen.gate.limits if chosen.gate else {})
    return Gate(heads, readings, gate_positions(parts), {}, limits)


def passes(gate: Gate, expected: dict[str, Any], answers: dict[str, Any], rows: Any) -> bool:
    """Whether the answers of these rows are inside the gate."""
    own = {name: values[rows] for name, values in expected.items()}
    held = Gate(gate.heads, gate.readings, gate.positions, own, gate.limits)
    return judge(held, {name: values[rows] for name, values in answers.items()}).passed


def _drawn_of_all(
    manifest: Manifest,
    chosen: Artifact,
    parts: list[tuple[str, Positions]],
    expected: dict[str, Any],
    answers: dict[str, Any],
) -> Iterator[bool]:
    """Whether a set of the same size drawn from all positions together passes, again and again by one seed."""
    rng, begins, of_kind = np.random.default_rng(0), 0, dict[str, list[Any]]()
    legal = np.concatenate([part.legal for _, part in parts if part.legal is not None])
    for name, part in parts:
        of_kind.setdefault(name, []).append(np.arange(begins, begins + len(part)))
        begins += len(part)
    every = {name: np.concatenate(rows) for name, rows in of_kind.items()}
    for _ in range(DRAWN):
        rows = {name: rng.choice(of, min(len(of), OTHERS[name]), replace=False) for name, of in every.items()}
        empty = {name: np.zeros((len(at), 1), np.float32) for name, at in rows.items()}
        told = [(name, Positions({"": empty[name]}, legal[at], name)) for name, at in rows.items()]
        yield passes(gate_of(manifest, chosen, told), expected, answers, np.concatenate(list(rows.values())))


if __name__ == "__main__":
    main()
