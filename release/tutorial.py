#!/usr/bin/env -S python3 -P
"""Run the commands of docs/tutorial.md in an empty folder, exactly as printed: `make tutorial`.

tutorial.py [--minutes N] [--leave-out VERB]

`--minutes` replaces the minutes of training that the tutorial prints; `--leave-out` skips a verb that this machine
cannot run. Each command must end with 0 and write the files that the page promises. Its processor seconds are printed.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The files that must exist at the end, and the verb that makes each.
LEFT = {
    "bundles/first/manifest.json": "export",
    "bundles/first/report.html": "export",
    "site/index.html": "page",
    "site/notices.txt": "page",
    "first.apk": "apk",
    "bundles/first.apk-key.pem": "apk",
}


def lines() -> list[str]:
    """The commands of the tutorial, as it prints them."""
    text = (ROOT / "docs/tutorial.md").read_text(encoding="utf-8")
    return re.findall(r"^    (azx .+)$", text, re.MULTILINE)


def typed(line: str, minutes: str | None) -> list[str]:
    """The words of a command, with `minutes` in place of its own minutes of training."""
    words = shlex.split(line)
    if minutes is not None and "--minutes" in words:
        words[words.index("--minutes") + 1] = minutes
    return words


def main(minutes: str | None, left_out: str | None) -> None:
    """Run each command; SystemExit with its last output if one fails, or if a promised file is missing."""
    path = f"{ROOT / '.venv/bin'}{os.pathsep}{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as folder:
        for line in lines():
            words = typed(line, minutes)
            if words[1] == left_out:
                print(f"left out: {line}", flush=True)
                continue
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run(
                words, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
            )
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            if done.returncode:
                sys.exit(f"'{line}' ended with {done.returncode}:\n{done.stderr[-2000:]}")
            used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            print(f"{used:6.1f} s  {line}", flush=True)
        for name, verb in LEFT.items():
            if verb != left_out and not (Path(folder) / name).is_file():
                sys.exit(f"The tutorial left no {name}.")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes")
    parser.add_argument("--leave-out", metavar="VERB")
    options = parser.parse_args()
    main(options.minutes, options.leave_out)
