"""The encoding that a network of `azx train` states in its own file, so that a copy of the file keeps it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import h5py

from .door.attributes import Attributes
from .hdf5 import HDF5_SIGNATURE, open_hdf5

# An attribute of the file's root: JSON in the form of an --encoding file.
ENCODED = "azx_encoding"


def state_encoding(path: Path, encoding: Mapping[str, Any]) -> None:
    """Write the encoding into a finished HDF5 file."""
    with h5py.File(path, "r+") as file:
        file.attrs[ENCODED] = json.dumps(encoding)


def stated_encoding(path: Path) -> Any:
    """The encoding in an HDF5 file, as JSON types; None for a file without one, and for any other file.

    ValueError or RecursionError if it is no JSON, CheckpointError if the file is damaged.
    """
    try:
        with path.open("rb") as file:
            if file.read(len(HDF5_SIGNATURE)) != HDF5_SIGNATURE:
                return None
    except OSError:
        return None
    with open_hdf5(path) as root:
        text = Attributes(root, f"'{path}'").text(ENCODED)
    return json.loads(text) if text else None
