"""HDF5 as Keras writes it: attributes, the legacy weight groups, and the groups of Keras 3."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

import h5py

from ...errors import CheckpointError
from ...system.plain_file import size_text
from .door.attributes import UNREADABLE, Attributes
from .door.contents import check_heaps, child, group_at, has, names_in, values
from .door.limits import FREE_BYTES, JSON_BYTES, PACKED, WEIGHT_BYTES, Budget, bytes_on_disk, check_file
from .door.trial import try_reading
from .kinds import check_archive, file_kind
from .layer_graph import Array

HDF5_SIGNATURE = b"\x89HDF\r\n\x1a\n"
ZIP_SIGNATURE = b"PK"
# Errors of zipfile for a damaged archive.
BAD_ZIP = (zipfile.BadZipFile, zlib.error, struct.error, *UNREADABLE, NotImplementedError, EOFError)
LAYER_CONTAINERS = ("layers", "_layer_checkpoint_dependencies")


def open_hdf5(path: Path) -> h5py.File:
    """The file at `path`, open for reading; CheckpointError if it is not sound HDF5."""
    check_signature(path)
    with path.open("rb") as file:
        check_heaps(file, f"'{path}'")
    try_reading(path, f"'{path}'")
    try:
        file = h5py.File(path, "r")
    except UNREADABLE as error:
        raise CheckpointError(
            f"'{path}' starts as HDF5 but cannot be read ({_reason(error)}): it is truncated or damaged, copy it again."
        ) from error
    if not _names_of_windows(file, f"'{path}'"):
        return file
    file.close()
    return hdf5_in_memory(path.read_bytes(), f"'{path}'")


def check_signature(path: Path) -> None:
    """Raise CheckpointError if the file does not begin as HDF5; the error says what it is instead."""
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
    """The first eight bytes of a file; CheckpointError if it cannot be read."""
    try:
        if not path.is_dir():
            check_file(path)
        with path.open("rb") as file:
            return file.read(8)
    except FileNotFoundError as error:
        raise CheckpointError(f"There is no checkpoint at '{path}': check the path.") from error
    except IsADirectoryError as error:
        raise CheckpointError(f"'{path}' is a folder: give the .h5 or .keras file in it.") from error
    except OSError as error:
        raise CheckpointError(f"'{path}' cannot be read ({_reason(error)}): check its permissions.") from error


def open_archive(path: Path) -> zipfile.ZipFile:
    """The zip archive at `path`; CheckpointError if it lists more files than any checkpoint has."""
    check_archive(path)
    try:
        return zipfile.ZipFile(path)
    except BAD_ZIP as error:
        raise CheckpointError(f"'{path}' is a zip archive that is damaged: copy the checkpoint again.") from error


def member(archive: zipfile.ZipFile, name: str) -> bytes:
    """One file of a .keras archive.

    CheckpointError if it is larger than its archive allows, or than any architecture.
    """
    size, path = archive.getinfo(name).file_size, Path(str(archive.filename))
    limit = JSON_BYTES
    if not name.endswith(".json"):
        limit = min(WEIGHT_BYTES + FREE_BYTES, max(FREE_BYTES, PACKED * bytes_on_disk(path)))
    if archive.getinfo(name).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise CheckpointError(f"'{path}' holds a '{name}' that is not packed with zip: save it again.")
    if size > limit:
        raise CheckpointError(
            f"'{path}' holds a '{name}' of {size_text(size)}, and azx reads {size_text(limit)} of it: it is no "
            "board-game network."
        )
    return archive.read(name)


def hdf5_in_memory(data: bytes, where: str) -> h5py.File:
    """An HDF5 file held in memory, such as the weights of a .keras archive."""
    check_heaps(io.BytesIO(data), where)
    try_reading(data, where)
    try:
        file = h5py.File(io.BytesIO(data), "r")
        if not _names_of_windows(file, where):
            return file
        file.close()
        return h5py.File(io.BytesIO(with_slashes(data, where)), "r")
    except UNREADABLE as error:
        raise CheckpointError(f"{where} is damaged ({_reason(error)}): copy the checkpoint again.") from error


def with_slashes(data: bytes, where: str) -> bytes:
    """An HDF5 file, already read on trial, with Windows' names of groups changed to those of other systems.

    Keras joined the parts of a group's name with the system's separator; on Windows that is a backslash within one
    name.
    """
    held = io.BytesIO(data)
    with h5py.File(held, "r+") as file:
        for name in _names_of_windows(file, where):
            *folders, last = name.split("\\")
            member, group = child(file, name, where), file
            for folder in folders:  # step by step: a link on the way could lead out of the file
                known = has(group, folder, where)
                group = group_at(group, folder, where) if known else group.create_group(folder)
            group[last] = member
            del file[name]
    return held.getvalue()


def _names_of_windows(file: h5py.File, where: str) -> list[str]:
    """The names in the root that are Windows paths."""
    return [name for name in names_in(file, where) if "\\" in name and all(name.split("\\"))]


def network_root(file: h5py.File, path: Path) -> h5py.Group:
    """The group with Keras' own file: the file itself, or a part of an agent's file (of `dlgo`: model/kerasmodel).

    An agent includes the whole Keras file, as a group or as bytes. Raises CheckpointError if that leaves the file or is
    damaged.
    """
    where = f"'{path}'"
    attributes, marks = Attributes(file, where), ("model_config", "layer_names", "layer_names0", "nb_layers")
    containers = ("model_weights", *LAYER_CONTAINERS)
    if any(name in attributes for name in marks) or any(has(file, name, where) for name in containers):
        return file
    for name in ("model/kerasmodel", "kerasmodel"):
        try:
            member = child(file, name, where)
        except KeyError:
            continue
        if isinstance(member, h5py.Group):
            return member
        data = values(file, name, where, Budget(bytes_on_disk(path), where), kinds="Vu").tobytes()
        return hdf5_in_memory(data, f"{where}: the network inside")
    return file


def agent_of(file: h5py.File, where: str) -> str | None:
    """An agent file's statements about its encoder and board; None if the file has no agent."""
    if not has(file, "encoder", where):
        return None
    encoder = Attributes(child(file, "encoder", where), where)
    if "board_width" not in encoder or "board_height" not in encoder:
        return None
    name = f"encoder '{encoder.text('name')}', " if "name" in encoder else ""
    return f"{name}board {encoder.text('board_height')}x{encoder.text('board_width')}"


class LegacyWeights:
    """Weights as Keras 2 and tf.keras write them: one group per layer, ordered by `weight_names`."""

    def __init__(self, file: h5py.File, path: Path) -> None:
        self._where = f"'{path}'"
        self._root = weights_in(file, self._where)
        self._budget = Budget(bytes_on_disk(path), self._where)
        self.layer_names = Attributes(self._root, self._where).texts("layer_names")

    def of(self, layer: str) -> list[tuple[str, Array]]:
        """(name, values) of each weight of a layer, in the file's order and dtype; empty if it has none.

        Raises CheckpointError if one cannot be read, is outside the file or is too large.
        """
        arrays: list[tuple[str, Array]] = []
        if not has(self._root, layer, self._where):
            return arrays
        group = child(self._root, layer, self._where)
        for name in Attributes(group, self._where).texts("weight_names"):
            try:
                arrays.append((name, values(group, name, self._where, self._budget)))
            except (KeyError, OSError) as error:
                raise CheckpointError(
                    f"{self._where}: weight '{name}' of layer '{layer}' cannot be read: "
                    "the file is truncated or damaged, copy it again."
                ) from error
        return arrays


class PathWeights:
    """Weights as Keras 3 writes them: layers/<class>_<n>/vars/<i>, numbered by class."""

    def __init__(self, file: h5py.File, path: Path, folder: str = "", budget: Budget | None = None) -> None:
        self._file = file
        self._path = path
        self._where = f"'{path}'"
        self._folder = folder
        self._budget = budget or Budget(bytes_on_disk(path), self._where)

    def model_at(self, key: str) -> PathWeights:
        """The weights of a model inside this one; `key` is one of `keys`."""
        return PathWeights(self._file, self._path, self._join(key), self._budget)

    def of(self, key: str, inner: Sequence[str] = ()) -> list[tuple[str, Array]]:
        """(name, values) of each weight of the layer at `key`, in order and in the file's dtype; empty if it has none.

        The layer's own weights come first, then those of its inner layers at the paths `inner`, in that order. Raises
        CheckpointError if one cannot be read, is outside the file or is too large.
        """
        place = self._join(key)
        own = self._listed(f"{place}/vars")
        if not has(self._file, place, self._where):
            return own
        for path in inner:
            # Some layers store inner layers under their own names, which begin with an underscore.
            names = (path, f"_{path}")
            folder = next((name for name in names if has(self._file, f"{place}/{name}", self._where)), path)
            own += self._listed(f"{place}/{folder}/vars")
        return own

    def _listed(self, folder: str) -> list[tuple[str, Array]]:
        """The weights of one folder of vars."""
        if not has(self._file, folder, self._where):
            return []
        try:
            group = group_at(self._file, folder, self._where)
            names = sorted(names_in(group, self._where), key=int)
            return [(name, values(group, name, self._where, self._budget)) for name in names]
        except (KeyError, OSError, ValueError) as error:
            raise CheckpointError(
                f"{self._where}: the weights at '{folder}' cannot be read: the file is damaged, copy it again."
            ) from error

    def keys(self, layers: Sequence[tuple[str, str]]) -> list[str]:
        """The group of each (class name, layer name), in the order in which the model lists its layers.

        A group is named after its class and numbered. Version 2.12 of tf.keras leaves gaps in the numbers, so the n-th
        group of a class belongs to its n-th layer. Late Keras 3 also notes the layer's own name, which then decides.
        """
        container = self._container()
        stored_names = [] if container is None else names_in(container, self._where)
        noted: dict[str, str] = {}
        for key in stored_names:
            if has(container, f"{key}/vars", self._where):
                attributes = Attributes(child(container, f"{key}/vars", self._where), self._where)
                if "name" in attributes:
                    noted[attributes.text("name")] = key
        groups: dict[str, list[str]] = {}
        for class_name in {class_name for class_name, _ in layers}:
            matches = [re.fullmatch(rf"{snake_case(class_name)}(?:_(\d+))?", key) for key in stored_names]
            numbered = sorted((int(match[1] or 0), match[0]) for match in matches if match)
            groups[class_name] = [key for _, key in numbered]
        if all(name in noted for class_name, name in layers if groups[class_name]):
            return [noted.get(name, "") for _, name in layers]
        return [groups[class_name].pop(0) if groups[class_name] else "" for class_name, _ in layers]

    def _container(self) -> h5py.Group | None:
        """The group that holds a group for each layer; its name differs between tf.keras 2.12 and Keras 3."""
        base = f"{self._folder}/" if self._folder else ""
        paths = (f"{base}{name}" for name in LAYER_CONTAINERS)
        name = next((name for name in paths if has(self._file, name, self._where)), None)
        return None if name is None else group_at(self._file, name, self._where)

    def _join(self, key: str) -> str:
        container = self._container()
        return f"{container.name}/{key}" if container is not None and key else "/absent"


def weights_in(root: h5py.Group, where: str) -> h5py.Group:
    """The group of the layers' weights as Keras 2 writes them: in a full model one of its own, else the file."""
    return group_at(root, "model_weights", where) if has(root, "model_weights", where) else root


def snake_case(class_name: str) -> str:
    """Keras' own spelling: Conv2D -> conv2d, LeakyReLU -> leaky_re_lu."""
    name = re.sub(r"\W+", "", class_name)
    name = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()


def _reason(error: BaseException) -> str:
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return reason.rstrip(".").splitlines()[0]
