"""Whether a package that a format needs is there, and the command that adds it."""

from __future__ import annotations

from importlib.util import find_spec


def missing(package: str) -> str | None:
    """None where `package` is installed, else what is missing and how to add it."""
    if find_spec(package) is not None:
        return None
    name = package.replace("_", "-")
    return f"{name} is not installed: pip install {name}"
