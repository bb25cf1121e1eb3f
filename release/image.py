#!/usr/bin/env -S python3 -P
"""Write the third-party notices of the container image, from the Python packages that are installed in it.

python3 -P release/image.py FILE

Debian's own packages have their notices in /usr/share/doc. Exit code 1 if the licence of a package does not fit.
"""

from __future__ import annotations

import re
import sys
from importlib import metadata
from pathlib import Path

# Licences as packages name them. Licences that also bind code combined with the package are not in the list.
FORBIDDEN = re.compile(r"AFFERO|AGPL|\bGPL|(?<!LESSER )GENERAL PUBLIC|SSPL|NON-?COMMERCIAL|PROPRIETARY", re.IGNORECASE)
TEXTS = re.compile(r"(licen[cs]e|notice|copying)", re.IGNORECASE)


class LicenceError(Exception):
    """A package's licence does not fit; the message is one sentence."""


def check(name: str, licence: str) -> None:
    """LicenceError if a package under this licence may not be in the image."""
    if FORBIDDEN.search(licence):
        raise LicenceError(f"'{name}' is under {licence.split(chr(10))[0].strip()}: leave it out of the image.")


def licence_of(package: metadata.Distribution) -> str:
    """A package's licence as its metadata names it; empty if unknown."""
    about = package.metadata
    classifiers = [entry.split(" :: ")[-1] for entry in about.get_all("Classifier") or [] if "License ::" in entry]
    return about.get("License-Expression") or ", ".join(classifiers) or (about.get("License") or "")[:200]


def notices() -> str:
    """The notices of all installed packages, each with its licence files."""
    lines = ["Third-party parts of azx' container image", ""]
    for package in sorted(metadata.distributions(), key=lambda each: each.name.lower()):
        licence = " ".join(licence_of(package).split())
        check(package.name, licence)
        lines += ["-" * 72, f"{package.name} {package.version}: {licence or 'see its files'}", ""]
        for file in package.files or ():
            if TEXTS.search(file.name) and file.suffix not in (".py", ".pyc", ".h"):
                lines += [Path(str(file.locate())).read_text(encoding="utf-8", errors="replace").strip(), ""]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    try:
        Path(sys.argv[1]).write_text(notices(), encoding="utf-8")
    except LicenceError as error:
        sys.exit(f"image.py: {error}")
