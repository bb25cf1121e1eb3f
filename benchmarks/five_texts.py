"""A network in the shape and framework of each of five texts on AlphaZero: from its file to five formats, and played.

    nice -n 15 python -P benchmarks/five_texts.py [--only Go] [--positions 100] [--keep FOLDER]

benchmarks/makes/text_networks.py makes the files. Each is exported, proved again by `azx validate --against`,
and plays a game against itself in the format that was written last.

A table in Markdown goes to standard output. The exit code is 1 if a network is not proved in five formats and played.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "benchmarks" / "makes"))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
AZX = (sys.executable, "-P", "-m", "azx")


def main() -> int:
    """Try all five; 1 if one is not proved in five formats and played."""
    import text_networks

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="those whose name has this")
    parser.add_argument("--positions", default="100")
    parser.add_argument("--keep", type=Path, help="where the files and bundles stay")
    given = parser.parse_args()
    print("| text | file | formats proved | --against | a game of its own |\n|---|---|--:|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        place = given.keep or Path(scratch)
        rows = [
            attempt(name, place / name.replace(", ", "-").replace(" ", "-"), given.positions)
            for name in text_networks.TEXTS
            if given.only in name
        ]
    print(f"\n{sum(rows)} of {len(rows)} in five formats with proof, and played")
    return 0 if all(rows) else 1


def attempt(name: str, folder: Path, positions: str) -> bool:
    """Print a network's row; whether all of it went well."""
    import text_networks

    folder.mkdir(parents=True, exist_ok=True)
    make, options = text_networks.TEXTS[name]
    path, how = make(folder), []
    for option in options:
        if isinstance(option, dict):
            (folder / "encoding.json").write_text(json.dumps(option))
        how.append(option if isinstance(option, str) else str(folder / "encoding.json"))
    bundle = folder / "bundle"
    exported = run("export", path, *how, "--positions", positions, "-o", bundle)
    proof = bundle / "parity.json"
    judged: dict[str, Any] = json.loads(proof.read_text()) if proof.is_file() else {"passed": False, "artifacts": []}
    formats = len(judged["artifacts"]) if judged["passed"] else 0
    again = run("validate", bundle, "--against", path, "--positions", positions)
    games = run("match", bundle, bundle, "--games", "2", "--simulations", "4", "--log", folder / "games.jsonl")
    outcomes = ["yes" if done.returncode == 0 else last_line(done) for done in (again, games)]
    line = " · ".join([f"{formats}" if exported.returncode == 0 else last_line(exported)])
    print(f"| {name} | {path.name} | {line} | {outcomes[0]} | {outcomes[1]} |", flush=True)
    return formats == 5 and outcomes == ["yes", "yes"]


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """A command of azx."""
    return subprocess.run([*AZX, *map(str, arguments)], capture_output=True, text=True, check=False)


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    """What a command said at its end."""
    lines = (done.stderr.strip() or done.stdout.strip()).splitlines()
    return lines[-1][:200] if lines else f"exit code {done.returncode}"


if __name__ == "__main__":
    raise SystemExit(main())
