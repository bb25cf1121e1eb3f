"""Reads checkpoints that are built to hang their reader or to fill the memory: time, memory, and how it ended.

The files are those of `tests/fuzz/built.py`, written to a temporary folder, each with some megabytes of disk at most.
The exit code is 1 if a file takes more than 5 s of processor time (--seconds) or one gibibyte. It is also 1 if a file
is neither read nor refused in one sentence.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT))  # at the end: for `benchmarks` alone, no name of the root may hide a library's
sys.path.append(str(ROOT / "tests" / "support"))

from sibling import sibling  # noqa: E402

from azx.commands.printed.output import print_json, table  # noqa: E402


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--only", help="Only files whose name contains this.")
@click.option("--seconds", default=5.0, show_default=True, help="The processor time that a file may take.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def main(only: str | None, seconds: float, as_json: bool) -> None:
    """Read each file in a process of its own; print its time, its memory, and how it ended."""
    built, reader = (sibling(str(ROOT / "tests" / "fuzz" / "reader.py"), name) for name in ("built", "reader"))
    reading, endings = reader.Reader(), {}
    try:
        for name, write in built.BUILT.items():
            if only is None or only in name:
                with tempfile.TemporaryDirectory(prefix="azx-bad-") as folder:
                    endings[name] = reading.read(write(Path(folder)))
    finally:
        reading.close()
    endings = {name: _judge_time(ending, seconds) for name, ending in endings.items()}
    if as_json:
        print_json({name: vars(ending) for name, ending in endings.items()})
    else:
        rows = [
            (name, f"{end.seconds:.2f}", f"{end.bytes >> 20}", _format_ending(end)) for name, end in endings.items()
        ]
        table(("file", "processor, s", "memory, MiB", "ended"), rows, right=("processor, s", "memory, MiB"))
    sys.exit(any(ending.is_bad for ending in endings.values()))


def _judge_time(ending: Any, most: float) -> Any:
    """The ending, as a failure if it took more than `most` seconds."""
    is_slow = not ending.failure and ending.seconds > most
    return replace(ending, failure=f"took {ending.seconds:.1f} s") if is_slow else ending


def _format_ending(ending: Any) -> str:
    """How a reading ended, without the temporary folder's name."""
    sentence = ending.sentence.replace(f"{ending.path}", Path(ending.path).name)
    return f"{ending.failure} {sentence or ending.kind}".strip()


if __name__ == "__main__":
    main()
