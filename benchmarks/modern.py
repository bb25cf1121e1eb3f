"""Tries `azx inspect` and `azx export` on 45 Keras 3 networks with layers of 2020 to 2026, and on ONNX files.

    nice -n 15 python -P benchmarks/modern.py [--only transformer,gru] [--onnx FOLDER] [--positions 24] [--seed 7]

The networks are those of tests/support/modern_networks.py. `--onnx` names a folder of ONNX files instead, for example
one written by benchmarks/makes/in_torch.py. Each is exported in five formats with its proof, in one process.

A table in Markdown goes to standard output. The exit code is 1 if a network is not proved in all five.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "tests" / "support"))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("KERAS_BACKEND", "tensorflow")
FORMATS = {"coreml", "onnx", "pb", "tfjs", "tflite"}


def main() -> int:
    """Try all networks; 1 if one is not proved in five formats."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="networks, by comma")
    parser.add_argument("--onnx", type=Path, help="a folder of .onnx files, instead of the Keras networks")
    parser.add_argument("--positions", type=int, default=24)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    from azx.system.workers import Workers

    print("| network | heads | five formats | the same calculation | what is said |\n|---|---|---|--:|---|", flush=True)
    with tempfile.TemporaryDirectory() as scratch, Workers() as workers:
        paths = sorted(options.onnx.glob("*.onnx")) if options.onnx else write(Path(scratch), options.seed)
        wanted = set(filter(None, options.only.split(",")))
        chosen = [path for path in paths if not wanted or path.stem in wanted]
        proved = [attempt(path, Path(scratch), options.positions, workers) for path in chosen]
    print(f"\n{sum(proved)} of {len(proved)} in five formats with proof")
    return 0 if all(proved) else 1


def write(folder: Path, seed: int) -> list[Path]:
    """The Keras networks, saved."""
    import modern_networks

    paths = []
    for name in modern_networks.DESIGNS:
        paths.append(folder / f"{name}.keras")
        modern_networks.make(name, seed).save(paths[-1])
    return paths


def attempt(path: Path, folder: Path, positions: int, workers: object) -> bool:
    """Print a network's row; returns whether it was proved in five formats."""
    from azx.bundle.export import export_checkpoint
    from azx.bundle.inspect import inspect_checkpoint
    from azx.errors import AzxError

    heads, same, remark, written = "", "", "", set[str]()
    try:
        inspection = inspect_checkpoint(path)
        heads = inspection.head_problem or ", ".join(
            f"{head.role} {head.source_name} {head.shape}" for head in inspection.heads
        )
        options = {"count": positions, "game": "none", "report": False, "workers": workers}
        done = export_checkpoint(path, output=folder / f"bundle-{path.stem}", **options)  # type: ignore[arg-type]
        artifacts = done.contents.artifacts
        written = {artifact.format for artifact in artifacts}
        same = str(sum(item.calculation is not None and item.calculation.verdict == "same" for item in artifacts))
        remark = done.fallback or ", ".join(done.skipped.values())
    except AzxError as error:
        remark = str(error)
    print(f"| {path.stem} | {heads} | {'yes' if written == FORMATS else 'no'} | {same} | {remark[:200]} |", flush=True)
    return written == FORMATS


if __name__ == "__main__":
    raise SystemExit(main())
