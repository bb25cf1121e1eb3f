"""Whether a sound network is ever called "not equal": fifty networks, every precision, three seeds.

    nice -n 15 python -P benchmarks/sound.py [--rounds 3] [--only 0,1,2] [--anew]

The networks are those of benchmarks/makes/networks.py. Each is exported in two ways. One is fp32, fp16 and 8 bits by
name: int8, with scales found on positions, in TFLite, and int8-weights in ONNX, Core ML and TF.js. The other is
--precision auto. Each bundle is then validated twice, with its checkpoint and without. Nothing is edited in between, so
every "not equal" is a false one.

All of it costs more than an hour of processor time, so it goes in rounds, each with one bundle of every network. The
first round has seed 1, in one way for the networks of even number and in the other for the others. The second has seed
2 and the other way, the third seed 3 and the first way again. A bundle has TFLite and ONNX, or Core ML, or TF.js,
another of the three in each of three rounds, and in one round .pb too, which has fp32 alone. So after three rounds each
network has had three seeds, both ways and all formats. Rounds 4 to 6 are the same with the ways exchanged.

--keep-failing keeps what is outside its gate: that is no false verdict but the gate's answer, and counts as refused. So
does what an export does not write.

The results lie in build/sound, a line for each bundle, and are not measured again; --anew does. A table in Markdown
goes to standard output. The exit code is 1 if a verdict is false.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT))  # at the end: for `benchmarks` alone, no name of the root may hide a library's

from azx import AzxError, NotEqual, Workers, export_checkpoint, validate_bundle  # noqa: E402
from azx.export.formats.precisions.precision import FP16, FP32, INT8, INT8_WEIGHTS  # noqa: E402
from azx.export.formats.table import FORMATS  # noqa: E402
from azx.manifest import Manifest  # noqa: E402
from azx.system.workers import result  # noqa: E402
from benchmarks.makes.networks import Make, makes, write  # noqa: E402

PLACE = ROOT / "build" / "sound"
# Of one bundle; TF.js and Core ML cost as much alone as the other two together.
FORMATS_OF_A_BUNDLE = (("tflite", "onnx"), ("coreml",), ("tfjs",))
NAMED, AUTO = "named", "auto"
PRECISIONS = {NAMED: (FP32, FP16, INT8_WEIGHTS, INT8), AUTO: ("auto",)}
WAYS = {"with its checkpoint": True, "without": False}


def main() -> None:
    """Measure what is not kept, and print the tables."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--only", default="", help="Numbers of networks; default: all fifty.")
    options.add_argument("--rounds", type=int, default=3, help="1 to 6.")
    options.add_argument("--anew", action="store_true", help="Measure again what was measured before.")
    given = options.parse_args()
    chosen = [int(number) for number in given.only.split(",") if number]
    made = [make for make in makes() if not chosen or make.number in chosen]
    rows = list[dict[str, Any]]()
    with Workers() as workers:
        for turn in range(given.rounds):
            for make in made:
                row = kept_or_measured(workers, make, turn, anew=given.anew)
                rows.append(row)
                tell(make, row)
    report(rows)
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(f"\n{sum(each.ru_utime + each.ru_stime for each in used):,.0f} s of processor time in this run")
    raise SystemExit(1 if any(row["false"] for row in rows) else 0)


def asked_in(make: Make, turn: int) -> tuple[int, str, list[str]]:
    """The seed, the way and the formats of a network's bundle in a round, from 0."""
    seed, mode = turn % 3 + 1, (NAMED, AUTO)[(make.number + turn) % 2]
    formats = FORMATS_OF_A_BUNDLE[(make.number + turn) % 3]
    return seed, mode, [*formats, *(["pb"] if make.number % 6 == turn else [])]


def kept_or_measured(workers: Workers, make: Make, turn: int, *, anew: bool) -> dict[str, Any]:
    """The row of one bundle: of the network's bytes, formats and precisions, as they were kept, or measured now."""
    seed, mode, formats = asked_in(make, turn)
    path = PLACE / "networks" / f"{make.name}.h5"
    if not path.exists():
        result(workers.tensorflow(write, make, path), f"making {make.name}")
    asked = [make.name, hashlib.sha256(path.read_bytes()).hexdigest(), seed, mode, formats, PRECISIONS[mode]]
    key = hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:16]
    kept = PLACE / "results" / f"{make.name}.{seed}.{mode}.{key}.json"
    if anew or not kept.exists():
        row = measure(workers, make, path, seed, mode, formats)
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(row, indent=1) + "\n", encoding="utf-8")
    found: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
    return found


def measure(workers: Workers, make: Make, path: Path, seed: int, mode: str, formats: Sequence[str]) -> dict[str, Any]:
    """Export one bundle, validate it in both ways, and say what became of each artifact."""
    began = time.perf_counter()
    row: dict[str, Any] = {"network": make.name, "seed": seed, "mode": mode, "formats": list(formats)}
    row |= {"artifacts": [], "refused": [], "verdicts": {}, "false": []}
    with tempfile.TemporaryDirectory(prefix="azx-sound-") as scratch:
        folder = Path(scratch) / "bundle"
        try:
            contents = exported(workers, make, path, seed, mode, formats, folder)
        except NotEqual as error:
            row["false"].append(f"export: {error}")
            contents = None
            shutil.rmtree(folder, ignore_errors=True)
        except AzxError as error:
            row["refused"].append(str(error))
            contents = None
        row["seconds"] = {"export": round(time.perf_counter() - began, 1)}
        if contents is not None:
            row["artifacts"] = list(artifacts_of(contents))
            for way, against in WAYS.items():
                verdict(workers, row, folder, path if against else None, way)
    return row


def exported(
    workers: Workers, make: Make, path: Path, seed: int, mode: str, formats: Sequence[str], folder: Path
) -> Manifest:
    """The manifest of a bundle in these formats, as `azx export` writes it; NotEqual, or AzxError if it refuses."""
    # Of all but the others: what a network is too small for, or a format does not have, is left out and no error.
    others = [name for name, entry in FORMATS.items() if name not in formats and not entry.experimental]
    done = export_checkpoint(
        path, output=folder, without=others, precision=PRECISIONS[mode], keep_failing=mode == NAMED, seed=seed,
        noted=False, report=False, workers=workers, **make.options,
    )  # fmt: skip
    return done.contents


def artifacts_of(contents: Manifest) -> Iterator[dict[str, Any]]:
    """Each artifact of a bundle: format, precision, and whether it is good for publishing."""
    for artifact in contents.artifacts:
        inside = artifact.gate is None or artifact.gate.passed
        yield {"format": artifact.format, "precision": artifact.precision, "inside": inside}


def verdict(workers: Workers, row: dict[str, Any], folder: Path, against: Path | None, way: str) -> None:
    """Validate a bundle, and note in the row what it is called."""
    began = time.perf_counter()
    try:
        done = validate_bundle(folder, against=against, workers=workers)
        told = "equal" if done.passed else "not equal"
    except NotEqual as error:
        told = "not equal"
        row["false"].append(f"{way}: {error}")
    except AzxError as error:
        told = "not proved"
        row["false"].append(f"{way}: {error}")
    row["verdicts"][way] = told
    row["seconds"][way] = round(time.perf_counter() - began, 1)


def tell(make: Make, row: dict[str, Any]) -> None:
    """A line about one bundle, on standard error."""
    made = [f"{each['format']}.{each['precision']}{'' if each['inside'] else ' outside'}" for each in row["artifacts"]]
    told = f"{row['network']} seed {row['seed']} {row['mode']:5} {make.line}: {', '.join(made)} {row['seconds']}"
    print(told, *row["refused"], *(f"FALSE {each}" for each in row["false"]), sep="\n   ", file=sys.stderr, flush=True)


def report(rows: Sequence[dict[str, Any]]) -> None:
    """The tables: bundles by way, artifacts by format and precision."""
    networks = {row["network"] for row in rows}
    print(f"{len(networks)} networks, {len(rows)} exports, {sum(bool(row['refused']) for row in rows)} refused\n")
    print("| precision | bundles | validated | equal | not equal, all false |\n|---|---|---|---|---|")
    for mode in PRECISIONS:
        own = [row for row in rows if row["mode"] == mode]
        verdicts = Counter(each for row in own for each in row["verdicts"].values())
        bundles = sum(bool(row["artifacts"]) for row in own)
        false = sum(len(row["false"]) for row in own)
        print(f"| {', '.join(PRECISIONS[mode])} | {bundles} | {verdicts.total()} | {verdicts['equal']} | {false} |")
    print("\n| format | precision | artifacts | published | outside its gate |\n|---|---|---|---|---|")
    counts = Counter(
        (each["format"], each["precision"] + (" (auto)" if row["mode"] == AUTO else ""), each["inside"])
        for row in rows
        for each in row["artifacts"]
    )
    for name, precision in sorted({(name, precision) for name, precision, _ in counts}):
        inside, outside = (counts[name, precision, is_inside] for is_inside in (True, False))
        print(f"| {FORMATS[name].title} | {precision} | {inside + outside} | {inside} | {outside} |")


if __name__ == "__main__":
    main()
