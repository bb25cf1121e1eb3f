"""Compares a worker's azx and converters with this machine's, since equal versions write equal bytes."""

from __future__ import annotations

import socket
from collections.abc import Mapping

from ..bundle.contents.describe import converter_versions
from ..version import __version__
from .parcel import pack
from .words import clean

Versions = Mapping[str, str]


def versions() -> dict[str, str]:
    """The versions of azx and the installed converters."""
    return {"azx": __version__, **converter_versions()}


def refusal(there: Versions, here: Versions) -> bytes | None:
    """In a worker with the versions `here`: the answer to a sender with others; None if both have the same."""
    return None if dict(here) == dict(there) else pack({"worker": socket.gethostname(), "versions": dict(here)}, {})


def difference(worker: str, there: Versions, here: Versions) -> str | None:
    """The sentence about a worker whose versions differ from this machine's; None if they are equal."""
    names = [name for name in dict.fromkeys([*here, *there]) if there.get(name) != here.get(name)]
    if not names:
        return None
    differences = ", ".join(
        f"{name} {there.get(name, 'is missing')} (here {here.get(name, 'it is missing')})" for name in names
    )
    return (
        f"The worker {clean(worker)} has other versions: {clean(differences)}: "
        "install the same on both, then start the worker again."
    )
