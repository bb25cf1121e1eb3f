"""Compares the exports of two source trees of azx from the same checkpoints: every file's bytes, and processor time.

    python -P benchmarks/trees.py BEFORE AFTER [CHECKPOINT...] [--runs 5] [--bytes-only] [--json]

BEFORE and AFTER are folders with a checkout of azx, for instance clones of two commits. Both run in this environment,
with the same options. The runs alternate, BEFORE, AFTER, BEFORE and so on. Each is `azx export` of all formats with
proof, in a fresh process. Processor time counts its children.

Targets: no artifact differs by a byte, and the medians of processor time differ by at most 3 %. manifest.json,
parity.json and golden.json describe the artifacts and may differ on purpose; the members that differ are printed. The
exit code is 1 if an artifact differs.
"""

from __future__ import annotations

import argparse
import filecmp
import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data"
SHIPPED = ROOT / "mobile_assets" / "checkpoints"
# Files that describe the artifacts.
ABOUT = ("manifest.json", "parity.json", "golden.json", "report.html", "files.json")
TARGET = 0.03


@dataclass
class Comparison:
    """One checkpoint in both trees; `seconds` are processor seconds of each run, before and after."""

    checkpoint: str
    artifacts: list[str] = field(default_factory=list)
    different: list[str] = field(default_factory=list)
    members: dict[str, list[str]] = field(default_factory=dict)
    seconds: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    failure: str | None = None

    @property
    def medians(self) -> tuple[float, float]:
        """Median processor seconds before and after."""
        return statistics.median(self.seconds[0]), statistics.median(self.seconds[1])

    @property
    def change(self) -> float:
        """The relative change of the median: 0.01 is 1 % more."""
        before, after = self.medians
        return after / before - 1


def main() -> int:
    """Compare each checkpoint; 1 if an artifact differs or an export fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, help="a checkout of azx")
    parser.add_argument("after", type=Path, help="another one")
    parser.add_argument("checkpoints", nargs="*", type=Path, help="default: those that azx ships, and ../shared/data")
    parser.add_argument("--runs", type=int, default=5, help="exports in each tree (default 5)")
    parser.add_argument("--bytes-only", action="store_true", help="one export each, and no times")
    parser.add_argument("--json", action="store_true", dest="as_json", help="print JSON instead of a table")
    options = parser.parse_args()
    for tree in (options.before, options.after):
        if not (tree / "export").is_dir():
            parser.error(f"{tree} has no folder 'export': give a checkout of azx")
    runs = 1 if options.bytes_only else options.runs
    comparisons = []
    with tempfile.TemporaryDirectory(prefix="azx-trees-") as scratch:
        trees = [place_tree(tree, Path(scratch) / name) for tree, name in zip(given_trees(options), "AB", strict=True)]
        for checkpoint in options.checkpoints or default_checkpoints():
            comparisons.append(compare(checkpoint.resolve(), trees, Path(scratch), runs))
            if not options.as_json:
                print_row(comparisons[-1], timed=not options.bytes_only)
    if options.as_json:
        print(json.dumps([asdict(one) for one in comparisons], indent=1))
    else:
        print_end(comparisons, timed=not options.bytes_only)
    return 1 if any(one.different or one.failure for one in comparisons) else 0


def given_trees(given: argparse.Namespace) -> tuple[Path, Path]:
    """Both trees as absolute paths."""
    return given.before.resolve(), given.after.resolve()


def place_tree(tree: Path, place: Path) -> Path:
    """A folder for PYTHONPATH in which the tree is called azx, as Python imports it."""
    place.mkdir()
    (place / "azx").symlink_to(tree)
    return place


def default_checkpoints() -> list[Path]:
    """The shipped checkpoints, and other people's files that need no option."""
    names = ("connect4_version0019.h5", "battlesnake_version0006.h5", "ataxx_botzero.h5", "ttt_betazero.h5")
    return [*sorted(SHIPPED.glob("*.h5")), *(SHARED / name for name in names if (SHARED / name).is_file())]


def compare(checkpoint: Path, trees: list[Path], scratch: Path, runs: int) -> Comparison:
    """Export a checkpoint in both trees in turn, and compare what the first two exports wrote."""
    result = Comparison(checkpoint.name)
    for run in range(runs):
        bundles = [scratch / f"{checkpoint.stem}-{place.name}-{run}" for place in trees]
        for at, (place, bundle) in enumerate(zip(trees, bundles, strict=True)):
            spent, failure = export(checkpoint, place, bundle)
            result.seconds[at].append(spent)
            if failure:
                result.failure = f"{'after' if at else 'before'}: {failure}"
                return result
        if not run:
            compare_bundles(bundles[0], bundles[1], result)
    return result


def export(checkpoint: Path, place: Path, bundle: Path) -> tuple[float, str | None]:
    """Processor seconds of one export by the tree in `place`, and its error, None if it succeeded."""
    command = [sys.executable, "-P", "-m", "azx", "export", str(checkpoint), "-o", str(bundle), "--quiet"]
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1", "XDG_STATE_HOME": str(place / "state")}
    before = os.times()
    done = subprocess.run(
        command,
        cwd=place,
        env={**os.environ, **quiet, "PYTHONPATH": str(place)},
        capture_output=True,
        text=True,
        check=False,
    )
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    lines = (done.stderr.strip() or done.stdout.strip()).splitlines() or [f"exit code {done.returncode}"]
    return spent, lines[-1] if done.returncode else None


def compare_bundles(before: Path, after: Path, result: Comparison) -> None:
    """Add to the result: the artifacts' files, those that differ, and the members that differ in other files."""
    names = [{str(file.relative_to(one)) for file in one.rglob("*") if file.is_file()} for one in (before, after)]
    result.artifacts = sorted(names[0] & names[1] - set(ABOUT))
    result.different = sorted((names[0] ^ names[1]) - set(ABOUT))
    result.different += [
        name for name in result.artifacts if not filecmp.cmp(before / name, after / name, shallow=False)
    ]
    for name in ABOUT:
        if name.endswith(".json") and name in names[0] & names[1]:
            both = [json.loads((one / name).read_text()) for one in (before, after)]
            result.members[name] = sorted(set(list_differences(*both)))


def list_differences(before: Any, after: Any, path: str = "") -> list[str]:
    """Paths of the members that differ; all items of a list have one path, `artifacts[].path`."""
    if isinstance(before, dict) and isinstance(after, dict):
        return [
            line
            for name in {**before, **after}
            for line in (
                list_differences(before[name], after[name], f"{path}.{name}".lstrip("."))
                if name in before and name in after
                else [f"{path}.{name}".lstrip(".")]
            )
        ]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return [line for pair in zip(before, after, strict=True) for line in list_differences(*pair, f"{path}[]")]
    return [] if before == after else [path]


def print_row(one: Comparison, timed: bool) -> None:
    """Print one checkpoint's line."""
    if one.failure:
        print(f"{one.checkpoint}: failed: {one.failure}", flush=True)
        return
    same = f"{len(one.artifacts)} files, " + ("all equal" if not one.different else f"{one.different} differ")
    before, after = one.medians
    print(one.checkpoint, same, f"{before:.2f} s, {after:.2f} s, {one.change:+.1%}" if timed else "", sep=" | ")
    for name, members in one.members.items():
        if members:
            print(f"    {name}: {', '.join(members)}")
    sys.stdout.flush()


def print_end(comparisons: list[Comparison], timed: bool) -> None:
    """Print the sums, and the figures over a target."""
    whole = [one for one in comparisons if not one.failure]
    differing, files = sum(len(one.different) for one in whole), sum(len(one.artifacts) for one in whole)
    print(f"{len(whole)} of {len(comparisons)} checkpoints; {differing} of {files} files differ")
    if timed and whole:
        before, after = (sum(one.medians[at] for one in whole) for at in (0, 1))
        print(f"processor time of all medians: {before:.1f} s, {after:.1f} s, {after / before - 1:+.1%}", end="; ")
        print("over 3 %: " + (", ".join(one.checkpoint for one in whole if one.change > TARGET) or "none"))


if __name__ == "__main__":
    raise SystemExit(main())
