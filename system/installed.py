"""The installed optional packages, and the command that adds a missing one with the extra of azx that lists it."""

from __future__ import annotations

from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from ..errors import NotRunHere, first_line
from ..version import DISTRIBUTION

NOT_MADE = "is not made for this system"


def missing(package: str, extra: str = "") -> str | None:
    """None if the module `package` is installed, else a clause that names it and the command that adds it.

    `extra` names an extra of azx that brings more than this package, if more is needed.
    """
    if find_spec(package) is not None:
        return None
    wanted = of_azx(extra) if extra else brought_by(package)
    if wanted is None:
        return f"{distribution(package)} {NOT_MADE}"
    return f"{distribution(package)} is not installed: pip install {quote(wanted)}"


def brought_by(package: str) -> str | None:
    """The requirement for pip that adds a package: the extra of azx that lists it, else the package itself.

    The list is pyproject.toml's, as the installed azx carries it. None if it has the package for other systems only.
    """
    from importlib import metadata

    from packaging.requirements import Requirement

    try:
        about = metadata.metadata(DISTRIBUTION)
    except metadata.PackageNotFoundError:  # the source tree, uninstalled
        return distribution(package)
    wanted = [Requirement(entry) for entry in about.get_all("Requires-Dist") or []]
    marks = [entry.marker for entry in wanted if entry.marker and entry.name.lower() == distribution(package).lower()]
    for extra in about.get_all("Provides-Extra") or []:
        if any(mark.evaluate({"extra": extra}) for mark in marks):
            return of_azx(extra)
    return None if marks else distribution(package)


def of_azx(extra: str) -> str:
    """The requirement for azx with an extra, from this azx's origin: wheel, source tree, address, or else the index.

    An azx installed from a wheel is named by that file, because an index may lack it. The note that pip leaves
    (PEP 610) names the origin.
    """
    import json
    from importlib import metadata
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    noted = "{}"
    with suppress(metadata.PackageNotFoundError):  # the source tree, uninstalled
        noted = metadata.distribution(DISTRIBUTION).read_text("direct_url.json") or noted
    url = str(json.loads(noted).get("url", ""))
    path = url2pathname(urlsplit(url).path)
    if url.startswith("file:") and Path(path).exists():
        return f"-e {path}[{extra}]" if '"editable": true' in noted else f"{path}[{extra}]"
    name = f"{DISTRIBUTION}[{extra}]"
    return f"{name} @ {url}" if url.startswith("https:") else name


def quote(wanted: str) -> str:
    """A requirement quoted for a shell, which would take brackets for a file pattern."""
    if wanted.startswith("-e "):
        return f'-e "{wanted.removeprefix("-e ")}"'
    return f'"{wanted}"' if set(wanted) & set(" [];") else wanted


def not_run_here(error: ImportError) -> NotRunHere:
    """The error for a failed import of a runtime: the missing package, and the command that adds it."""
    package = (error.name or "").partition(".")[0]
    lacking = missing(package) if package else None
    return NotRunHere(lacking or f"the runtime cannot be loaded ({first_line(error)}): see azx doctor")


def distribution(package: str) -> str:
    """The name of a module's package for pip."""
    return {"PIL": "pillow", "coreai": "coreai-core"}.get(package, package.replace("_", "-"))
