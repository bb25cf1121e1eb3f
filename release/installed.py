"""Install from dist/release by the commands in docs/releasing.md, in an empty folder, and open the web page."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from making import OUT, run
from parts import ROOT, version

PAGE = ROOT / "docs/releasing.md"
CHROMIUM = Path(os.environ.get("AZX_CHROMIUM") or "/usr/bin/chromium")
# The command that serves the web page; it runs until it is ended.
SERVE = "venv/bin/azx serve"


def lines(text: str) -> list[str]:
    """The commands in the document's section on installing from the folder; lines are joined at backslashes."""
    section = text.partition("## Install from the folder\n")[2].partition("\n## ")[0]
    joined = re.sub(r" *\\\n *", " ", section)
    return re.findall(r"^    (\S.*)$", joined, re.MULTILINE)


def check_installed() -> Iterator[str]:
    """Run each command; yields a sentence for each, SystemExit with its last output if one fails.

    Maven takes other packages from this machine's repository, but never azx: an earlier version may be there.
    """
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for line in lines(PAGE.read_text(encoding="utf-8")):
            if line.startswith(SERVE):
                yield from _open_page(line, folder)
                continue
            used = f"{line} -Dmaven.repo.local={_repository_without_azx(folder)}" if line.startswith("mvn ") else line
            run("bash", "-euc", used, cwd=folder, RELEASE=str(OUT))
            yield line
        jar = f"org/azx/azx-play/{version()}/azx-play-{version()}.jar"
        for name in (f"m2/{jar}", "node_modules/azx-play/LICENSE"):
            if not (folder / name).is_file():
                sys.exit(f"release: the lines of docs/releasing.md left no {name}.")
        if (folder / "m2" / jar).read_bytes() != (OUT / "maven" / jar).read_bytes():
            sys.exit("release: Maven installed another azx-play than the one in dist/release.")


def _repository_without_azx(folder: Path) -> Path:
    """A new Maven repository with links to everything in this machine's except azx, which is installed anew."""
    own, made = Path.home() / ".m2/repository", folder / "m2"
    if not made.is_dir():
        (made / "org").mkdir(parents=True)
        for entry in (*own.glob("*"), *(own / "org").glob("*")):
            target = made / entry.relative_to(own)
            if target.name != "azx" and not target.exists():
                target.symlink_to(entry)
    return made


def _open_page(line: str, folder: Path) -> Iterator[str]:
    """Run the command that serves the installed page, and play a move on the page in Chromium."""
    if not CHROMIUM.is_file():
        yield f"not checked: `{line}`, for Chromium is not installed"
        return
    program, *words = line.split()
    server = subprocess.Popen(
        [folder / program, *words, "--json"], cwd=folder, stdout=subprocess.PIPE, text=True, env=_without_azx()
    )
    try:
        assert server.stdout is not None  # noqa: S101 (it is a pipe)
        printed = ""
        for each in server.stdout:
            printed += each
            if each == "}\n":
                break
        output = run(
            "node", ROOT / "release/installed_page.mjs", json.loads(printed)["url"], AZX_CHROMIUM=str(CHROMIUM)
        )
    finally:
        server.terminate()
        server.wait(60)
    yield f"{line}: {output.strip()}"


def _without_azx() -> dict[str, str]:
    """The environment without variables by which the command could find a checkout or its bundles."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "AZX_"))}


if shutil.which("bash") is None:
    sys.exit("release: bash is not installed.")
