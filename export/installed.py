"""What is installed here beside the core, and the command that adds what is not: the extra of azx that brings it."""

from __future__ import annotations

from importlib import metadata
from importlib.util import find_spec

from packaging.requirements import Requirement

from ..errors import NotRunHere, first_line

NOT_MADE = "is not made for this system"


def missing(package: str, extra: str = "") -> str | None:
    """None where the module `package` is installed, else what is missing and how to add it.

    `extra` is one of azx that brings more than this package alone, where more is needed.
    """
    if find_spec(package) is not None:
        return None
    wanted = f"azx[{extra}]" if extra else brought_by(package)
    if wanted is None:
        return f"{distribution(package)} {NOT_MADE}"
    quoted = f'"{wanted}"' if "[" in wanted else wanted  # a shell would look for files by the name
    return f"{distribution(package)} is not installed: pip install {quoted}"


def brought_by(package: str) -> str | None:
    """What pip is asked for to add a package: azx[export] where that extra lists it, else the package itself.

    The list is pyproject.toml's, as the installed azx carries it. None where it lists the package for other systems.
    """
    try:
        about = metadata.metadata("azx")
    except metadata.PackageNotFoundError:  # the source tree, uninstalled
        return distribution(package)
    wanted = [Requirement(entry) for entry in about.get_all("Requires-Dist") or []]
    marks = [entry.marker for entry in wanted if entry.marker and entry.name.lower() == distribution(package).lower()]
    for extra in about.get_all("Provides-Extra") or []:
        if any(mark.evaluate({"extra": extra}) for mark in marks):
            return f"azx[{extra}]"
    return None if marks else distribution(package)


def not_run_here(error: ImportError) -> NotRunHere:
    """What a failed import of a runtime amounts to: the package that is missing, and the command that adds it."""
    package = (error.name or "").partition(".")[0]
    lacking = missing(package) if package else None
    return NotRunHere(lacking or f"the runtime cannot be loaded ({first_line(error)}): see azx doctor")


def distribution(package: str) -> str:
    """The name under which pip knows a module."""
    return package.replace("_", "-")
