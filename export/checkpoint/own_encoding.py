"""The encoding that a network of `azx train` states in its own file, so that a copy of the file keeps it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import h5py

# An attribute of the file's root: JSON in the form of an --encoding file.
ENCODED = "azx_encoding"


def state_encoding(path: Path, encoding: Mapping[str, Any]) -> None:
    """Write the encoding into a finished HDF5 file."""
    with h5py.File(path, "r+") as file:
        file.attrs[ENCODED] = json.dumps(encoding)
