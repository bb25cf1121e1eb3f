"""HDF5 as Keras writes it: attributes, the legacy weight groups, and the groups of Keras 3."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from ...errors import CheckpointError
from .kinds import file_kind
from .layer_graph import Array
from .untrusted import child, values

HDF5_SIGNATURE = b"\x89HDF\r\n\x1a\n"
ZIP_SIGNATURE = b"PK"
LAYER_CONTAINERS = ("layers", "_layer_checkpoint_dependencies")
# A .keras archive is read into memory; a larger one is not a board-game network but a zip bomb.
MAX_ARCHIVE_MEMBER = 4 << 30


def open_hdf5(path: Path) -> h5py.File:
    """The file at `path`, open for reading; CheckpointError where it is not sound HDF5."""
    check_signature(path)
    try:
        return h5py.File(path, "r")
    except OSError as error:
        raise CheckpointError(
            f"'{path}' starts as HDF5 but cannot be read ({_reason(error)}): it is truncated or damaged, copy it again."
        ) from error


def check_signature(path: Path) -> None:
    """Raise CheckpointError where the file's first bytes are not HDF5's, saying what they are instead."""
    head = read_head(path)
    if not head:
        raise CheckpointError(f"'{path}' is empty: copy the checkpoint again.")
    if head.startswith(b"version "):
        raise CheckpointError(f"'{path}' is a Git LFS pointer and not the checkpoint itself: run git lfs pull.")
    if head.startswith(HDF5_SIGNATURE):
        return
    if what := file_kind(path):
        raise CheckpointError(f"'{path}' is {what}.")
    if not head.startswith(ZIP_SIGNATURE):
        raise CheckpointError(f"'{path}' is not an HDF5 file: give the .h5 or .keras file that Keras saved.")
    if not zipfile.is_zipfile(path):
        raise CheckpointError(f"'{path}' is a zip archive that is truncated or damaged: copy the checkpoint again.")
    raise CheckpointError(
        f"'{path}' is a zip archive without config.json and model.weights.h5: give the file that Keras saved."
    )


def read_head(path: Path) -> bytes:
    """The first eight bytes of a file; CheckpointError where there is none to read."""
    try:
        with path.open("rb") as file:
            return file.read(8)
    except FileNotFoundError as error:
        raise CheckpointError(f"There is no checkpoint at '{path}': check the path.") from error
    except IsADirectoryError as error:
        raise CheckpointError(f"'{path}' is a folder: give the .h5 or .keras file in it.") from error
    except OSError as error:
        raise CheckpointError(f"'{path}' cannot be read ({_reason(error)}): check its permissions.") from error


def member(archive: zipfile.ZipFile, name: str) -> bytes:
    """One file of a .keras archive, refused where it is larger than any checkpoint."""
    if archive.getinfo(name).file_size > MAX_ARCHIVE_MEMBER:
        raise CheckpointError(f"'{archive.filename}' holds a '{name}' of over 4 GiB: it is no board-game network.")
    return archive.read(name)


def hdf5_in_memory(data: bytes, where: str) -> h5py.File:
    """An HDF5 file held in memory (the weights of a .keras archive)."""
    try:
        return h5py.File(io.BytesIO(data), "r")
    except OSError as error:
        raise CheckpointError(f"{where} is damaged ({_reason(error)}): copy the checkpoint again.") from error


def network_root(file: h5py.File, where: str) -> h5py.Group:
    """Where Keras' own file lies: the file itself, or what an agent keeps in it (the book's `dlgo`: model/kerasmodel).

    An agent copies the whole file in, as a group or as bytes. Raises CheckpointError where that leads out of the
    file or is damaged.
    """
    marks = ("model_config", "layer_names", "layer_names0", "nb_layers")
    if any(name in file.attrs for name in marks) or any(name in file for name in ("model_weights", *LAYER_CONTAINERS)):
        return file
    for name in ("model/kerasmodel", "kerasmodel"):
        try:
            found = child(file, name, where)
        except (KeyError, TypeError, ValueError):
            continue
        if isinstance(found, h5py.Group):
            return found
        return hdf5_in_memory(values(file, name, where).tobytes(), f"{where}: the network inside")
    return file


def agent_of(file: h5py.File) -> str | None:
    """What an agent's file says of its encoder and board, None where there is no agent."""
    encoder = file.get("encoder", getlink=True)
    if not isinstance(encoder, h5py.HardLink) or not {"board_width", "board_height"} <= set(file["encoder"].attrs):
        return None
    told = file["encoder"].attrs
    name = f"encoder '{text(told['name'])}', " if "name" in told else ""
    return f"{name}board {text(told['board_height'])}x{text(told['board_width'])}"


def text(value: object) -> str:
    """An attribute as text, whether h5py gives bytes, str or a NumPy scalar."""
    if isinstance(value, np.ndarray) and value.shape == ():
        value = value.item()
    return value.decode("utf8") if isinstance(value, bytes) else str(value)


def text_list(attributes: Mapping[str, Any], name: str) -> list[str]:
    """A list attribute, which Keras splits into name0, name1, ... where it passes HDF5's 64 KiB."""
    if name in attributes:
        return [text(item) for item in attributes[name]]
    items: list[str] = []
    chunk = 0
    while f"{name}{chunk}" in attributes:
        items += [text(item) for item in attributes[f"{name}{chunk}"]]
        chunk += 1
    return items


class LegacyWeights:
    """Weights as Keras 2 and tf.keras write them: a group a layer, ordered by `weight_names`."""

    def __init__(self, file: h5py.File, path: Path) -> None:
        self._path = path
        self._root = child(file, "model_weights", f"'{path}'") if "model_weights" in file else file
        self.layer_names = text_list(self._root.attrs, "layer_names")

    def of(self, layer: str) -> list[tuple[str, Array]]:
        """(name, values) of each weight of a layer, in the file's order and dtype; empty where it has none.

        Raises CheckpointError where one cannot be read, lies outside the file or is enormous.
        """
        if layer not in self._root:
            return []
        where, found = f"'{self._path}'", []
        group = child(self._root, layer, where)
        for name in text_list(group.attrs, "weight_names"):
            try:
                found.append((name, values(group, name, where)))
            except (KeyError, OSError, TypeError) as error:
                raise CheckpointError(
                    f"{where}: weight '{name}' of layer '{layer}' cannot be read: "
                    "the file is truncated or damaged, copy it again."
                ) from error
        return found


class PathWeights:
    """Weights as Keras 3 writes them: layers/<class>_<n>/vars/<i>, numbered by class."""

    def __init__(self, file: h5py.File, path: Path, folder: str = "") -> None:
        self._file = file
        self._path = path
        self._folder = folder

    def nested(self, key: str) -> PathWeights:
        """The weights of a model inside this one; `key` is of `keys`."""
        return PathWeights(self._file, self._path, self._join(key))

    def of(self, key: str) -> list[tuple[str, Array]]:
        """(name, values) of each weight of the layer at `key`, in order and in the file's dtype; empty for none.

        Raises CheckpointError where one cannot be read, lies outside the file or is enormous.
        """
        where = f"'{self._path}'"
        folder = f"{self._join(key)}/vars"
        if folder not in self._file:
            return []
        try:
            names = sorted(child(self._file, folder, where), key=int)
            return [(name, values(self._file, f"{folder}/{name}", where)) for name in names]
        except (KeyError, OSError, TypeError, ValueError) as error:
            raise CheckpointError(
                f"'{self._path}': the weights at '{folder}' cannot be read: the file is damaged, copy it again."
            ) from error

    def keys(self, layers: Sequence[tuple[str, str]]) -> list[str]:
        """The group of each (class name, layer name), in the order in which the model lists its layers.

        A group is named after its class and numbered; tf.keras 2.12 leaves gaps in the numbers, so
        the n-th group of a class belongs to the n-th layer of that class. Late Keras 3 also notes
        the layer's own name, which then decides.
        """
        container = self._container()
        noted: dict[str, str] = {}
        for key, group in container.items() if container is not None else ():
            attributes = group["vars"].attrs if "vars" in group else {}
            if "name" in attributes:
                noted[text(attributes["name"])] = key
        groups: dict[str, list[str]] = {}
        for class_name in {class_name for class_name, _ in layers}:
            matches = [re.fullmatch(rf"{snake_case(class_name)}(?:_(\d+))?", key) for key in container or ()]
            numbered = sorted((int(match[1] or 0), match[0]) for match in matches if match)
            groups[class_name] = [key for _, key in numbered]
        if all(name in noted for class_name, name in layers if groups[class_name]):
            return [noted.get(name, "") for _, name in layers]
        return [groups[class_name].pop(0) if groups[class_name] else "" for class_name, _ in layers]

    def _container(self) -> h5py.Group | None:
        """The group that holds a group for each layer; its name differs between tf.keras 2.12 and Keras 3."""
        base = f"{self._folder}/" if self._folder else ""
        found = (f"{base}{name}" for name in LAYER_CONTAINERS)
        name = next((name for name in found if name in self._file), None)
        return None if name is None else child(self._file, name, f"'{self._path}'")

    def _join(self, key: str) -> str:
        container = self._container()
        return f"{container.name}/{key}" if container is not None and key else "/absent"


def snake_case(class_name: str) -> str:
    """Keras' own spelling: Conv2D -> conv2d, LeakyReLU -> leaky_re_lu."""
    name = re.sub(r"\W+", "", class_name)
    name = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).rstrip(".").splitlines()[0]
