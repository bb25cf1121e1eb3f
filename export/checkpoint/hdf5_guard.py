"""Reading values out of an HDF5 file that nobody vouches for: nothing outside the file, nothing enormous."""

from __future__ import annotations

from math import prod

import h5py
import numpy as np

from ...errors import CheckpointError
from .layer_graph import Array

# The largest of known board-game networks has weights of some megabytes; a gibibyte is a decompression bomb.
MAX_BYTES = 1 << 30


def child(group: h5py.Group, name: str, where: str) -> h5py.Group | h5py.Dataset:
    """What lies at `name` (a path) below `group`; KeyError where nothing does.

    CheckpointError where a link on the way leads out of the file.
    """
    found = group
    for part in name.strip("/").split("/"):
        link = found.get(part, getlink=True)
        if isinstance(link, h5py.ExternalLink):
            raise CheckpointError(f"{where}: '{name}' lies in another file, which azx does not open: do not use it.")
        found = found[part]
    return found


def values(group: h5py.Group, name: str, where: str) -> Array:
    """A weight's values; CheckpointError where they are kept outside the file or are no board-game network's."""
    dataset = child(group, name, where)
    if not isinstance(dataset, h5py.Dataset):
        raise KeyError(name)
    if dataset.external or dataset.is_virtual:
        raise CheckpointError(f"{where}: '{name}' lies in another file, which azx does not open: do not use it.")
    size = prod(dataset.shape) * dataset.dtype.itemsize
    if size > MAX_BYTES:
        raise CheckpointError(f"{where}: '{name}' claims {size / 2**30:,.0f} GiB: it is no board-game network.")
    return np.asarray(dataset)
