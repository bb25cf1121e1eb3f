#!/usr/bin/env -S python3 -P
"""Run page, apk, engine and match from the wheels in an empty environment, on a trained network: `make newcomer`.

    newcomer.py NET.h5 dist/azx_export-*.whl dist/azx_export_android-*.whl

The environment has the wheels, the extras `export` and `apk`, and nothing else; the folder has NET as my.h5, and the
home is empty. Each command must end with 0 and write the files that it promises. Its processor seconds are printed.
"""

from __future__ import annotations

import os
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Mapping
from pathlib import Path

GAME = "uginewgame\nposition startpos\ngo nodes 20\nquit\n"
# Each command, its standard input, the files that it writes, and words that it prints.
TYPED = (
    (
        "azx page my.h5 -o site --title 'My games' --zip",
        "",
        ("site/index.html", "site/board.html", "site/picture.png", "site.zip"),
        "a page with",
    ),
    (
        "azx apk my.h5 --name 'My game' --icon site/icon-512.png -o my.apk",
        "",
        ("my.apk", "my.apk-key.pem"),
        "signed by APK Signature Scheme v2 and v3",
    ),
    ("azx engine my.h5 --protocol ugi", GAME, (), "bestmove "),
    (
        "azx match my.h5 --engine 'azx engine my.h5 --protocol ugi --simulations 4' --engine-protocol ugi --games 2 "
        "--simulations 8 --log games.jsonl",
        "",
        ("games.jsonl",),
        "0 crashes, 0 hangs, 0 illegal moves, 0 refusals",
    ),
)


def install(folder: Path, wheels: list[str]) -> None:
    """Make an environment with the wheels and the two extras."""
    venv.create(folder, with_pip=False)
    first, *others = [str(Path(wheel).resolve()) for wheel in wheels]
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(folder), "-q", "install"]
    subprocess.run([*pip, f"{first}[export,apk]", *others], check=True)


def type_line(line: str, stdin: str, folder: Path, environment: Mapping[str, str]) -> tuple[str, float]:
    """Run a command; returns its output and processor seconds. SystemExit with its last output if it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        shlex.split(line), cwd=folder, env=environment, input=stdin, capture_output=True, text=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = done.stdout + done.stderr
    if done.returncode or "Traceback" in output:
        sys.exit(f"'{line}' ended with {done.returncode}:\n{output[-2000:]}")
    return output, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(net: str, wheels: list[str]) -> None:
    """Run each command; SystemExit if one fails or lacks a promised file or word."""
    with tempfile.TemporaryDirectory() as place:
        environment, folder, home = (Path(place) / name for name in ("env", "folder", "home"))
        install(environment, wheels)
        folder.mkdir()
        home.mkdir()
        shutil.copyfile(net, folder / "my.h5")
        around = {"PATH": f"{environment / 'bin'}{os.pathsep}{os.defpath}", "HOME": str(home), "LANG": "C.UTF-8"}
        for line, stdin, files, words in TYPED:
            output, seconds = type_line(line, stdin, folder, around)
            missing = [name for name in files if not (folder / name).is_file()]
            if missing or words not in output or "bestmove none" in output:
                sys.exit(f"'{line}' left no {', '.join(missing) or repr(words)}:\n{output[-2000:]}")
            print(f"{seconds:6.1f} s  {line}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
