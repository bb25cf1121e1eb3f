"""Install what was made from dist/release as docs/releasing.md prints it, in an empty folder, and open its page."""

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
# The line of the page that a browser opens: it goes on until somebody ends it.
SERVE = "venv/bin/azx serve"


def lines(text: str) -> list[str]:
    """The commands under the page's heading about installing from the folder, in their order; backslashes join two."""
    section = text.partition("## Install from the folder\n")[2].partition("\n## ")[0]
    joined = re.sub(r" *\\\n *", " ", section)
    return re.findall(r"^    (\S.*)$", joined, re.MULTILINE)


def check_installed() -> Iterator[str]:
    """What came of each line; SystemExit with its last words if one fails.

    Maven reads what it has of others from this machine's repository, but never azx: an earlier one may lie there.
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
            sys.exit("release: Maven gave another azx-play than that of dist/release.")


def _repository_without_azx(folder: Path) -> Path:
    """A repository of Maven's with all that this machine has but azx, and with room for azx of its own."""
    own, made = Path.home() / ".m2/repository", folder / "m2"
    if not made.is_dir():
        (made / "org").mkdir(parents=True)
        for found in (*own.glob("*"), *(own / "org").glob("*")):
            target = made / found.relative_to(own)
            if target.name != "azx" and not target.exists():
                target.symlink_to(found)
    return made


def _open_page(line: str, folder: Path) -> Iterator[str]:
    """Serve the installed page as the line says, and play a move on it in Chromium."""
    if not CHROMIUM.is_file():
        yield f"not checked: `{line}`, for Chromium is not installed"
        return
    program, *words = line.split()
    server = subprocess.Popen(
        [folder / program, *words, "--json"], cwd=folder, stdout=subprocess.PIPE, text=True, env=_without_azx()
    )
    try:
        assert server.stdout is not None  # noqa: S101 (it is a pipe)
        told = ""
        for each in server.stdout:
            told += each
            if each == "}\n":
                break
        said = run("node", ROOT / "release/installed_page.mjs", json.loads(told)["url"], AZX_CHROMIUM=str(CHROMIUM))
    finally:
        server.terminate()
        server.wait(60)
    yield f"{line}: {said.strip()}"


def _without_azx() -> dict[str, str]:
    """The environment without what would let the command find this checkout, or another one's bundles."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "AZX_"))}


if shutil.which("bash") is None:
    sys.exit("release: bash is not installed.")
