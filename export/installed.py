"""Whether a package that a format needs is there, and the command that adds it."""

from __future__ import annotations

from importlib.util import find_spec

# Its own dependencies pin TensorFlow back and do not import any more: never install it with them.
_INSTALL = {"tensorflowjs": 'pip install --no-deps "tensorflowjs==4.22.0"'}


def missing(package: str) -> str | None:
    """None where `package` is installed, else what is missing and how to add it."""
    if find_spec(package) is not None:
        return None
    name = package.replace("_", "-")
    return f"{name} is not installed: {_INSTALL.get(package, f'pip install {name}')}"
