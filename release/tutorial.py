#!/usr/bin/env -S python3 -P
"""Type docs/tutorial.md word by word in an empty folder: `make tutorial`.

tutorial.py [--leave-out VERB]...

Each command must end with 0; the seconds of the processor are printed beside it.
"""

from __future__ import annotations

import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def lines() -> list[str]:
    """The commands of the tutorial, as it prints them."""
    text = (ROOT / "docs/tutorial.md").read_text(encoding="utf-8")
    return re.findall(r"^    (azx .+)$", text, re.MULTILINE)


def main(left_out: set[str]) -> None:
    """Type each line; SystemExit with its last words if one fails."""
    path = f"{ROOT / '.venv/bin'}{os.pathsep}{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as folder:
        for line in lines():
            words = shlex.split(line)
            if words[1] in left_out:
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
        for name in ("site/index.html", "site/notices.txt", "bundles/first/manifest.json"):
            if not (Path(folder) / name).is_file():
                sys.exit(f"The tutorial left no {name}.")


if __name__ == "__main__":
    main({word for flag, word in zip(sys.argv[1:], sys.argv[2:], strict=False) if flag == "--leave-out"})
