"""Whether a worker has the azx and the converters of the machine that asks it: bundles are promised bit for bit."""

from __future__ import annotations

from collections.abc import Mapping

from ..bundle.contents.describe import converter_versions
from ..version import __version__
from .words import clean

Versions = Mapping[str, str]


def versions() -> dict[str, str]:
    """Those of azx and of the installed converters, here."""
    return {"azx": __version__, **converter_versions()}


def difference(worker: str, there: Versions, here: Versions) -> str | None:
    """The sentence about a worker whose versions are other than here, None if they are the same."""
    names = [name for name in dict.fromkeys([*here, *there]) if there.get(name) != here.get(name)]
    if not names:
        return None
    said = ", ".join(
        f"{name} {there.get(name, 'is missing')} (here {here.get(name, 'it is missing')})" for name in names
    )
    return (
        f"The worker {clean(worker)} has other versions: {clean(said)}: "
        "install the same on both, then start the worker again."
    )
