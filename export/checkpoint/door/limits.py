"""The largest sizes that a checkpoint may claim, each with its reason; checked before anything of that size is made.

A file of some kilobytes can claim any number of layers and any size. With these limits, reading it takes seconds and
less than a gibibyte beyond the weights themselves; SECURITY.md lists them.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path

from ....errors import CheckpointError
from ....system.plain_file import size_text

# A network of 40 blocks and 256 channels has 190 MiB of weights, or 570 MiB with Adam's state in the same file.
FILE_BYTES = 3 << 29
WEIGHT_BYTES = 512 << 20
# Keras does not compress; others compress to a quarter at best. Small weights may be all zeros and compress to nothing.
PACKED, FREE_BYTES = 4, 64 << 20
# The most chunks in which the weights of a file may lie; h5py's own have some kilobytes or more.
PIECES = 100_000
# The JSON of 40 blocks has 0.4 MiB; each layer takes about 1.5 KiB.
JSON_BYTES, JSON_VALUES, JSON_DEPTH = 8 << 20, 500_000, 200
# Reading YAML takes about thirty times as long.
YAML_BYTES = 1 << 20
# The most calls of layers, with nested models opened; EfficientNet's largest has 800.
LAYERS, REFERENCES = 4_000, 100_000
# The deepest nesting of models, and the most inputs or outputs of one.
DEPTH, PORTS = 32, 100
# The most objects in an HDF5 file, or names in one of its lists; and the deepest nesting of groups.
NAMES, GROUPS = 20_000, 64
NAME_LENGTH = 1_000
# The most values of an input, and of any tensor or kernel made for it. An image of 224 x 224 in 64 channels has 3
# million.
INPUT_VALUES, TENSOR_VALUES = 1 << 20, 1 << 24
# The most values that a graph's operations make from numbers in the file: 30 million weights, each four times.
FOLDED_VALUES = 1 << 27
# The largest side of a window, stride or margin.
SIDE = 10_000
# Limits for a SavedModel beside its weights: bytes of each file, fields of all messages, entries of its checkpoint.
MESSAGE_BYTES, FIELDS, ENTRIES = 64 << 20, 1_000_000, 100_000
# The most operations of a pickle; PyTorch writes about fifty per tensor.
PICKLED = 1_000_000
# The largest list of files in a zip archive, which takes about 90 bytes per file.
DIRECTORY_BYTES = 4 << 20


def bytes_on_disk(path: Path) -> int:
    """The bytes that were written to a file, without its holes; for a folder, the sum over all its files."""
    files = [path] if not path.is_dir() else [file for file in path.rglob("*") if file.is_file()]
    return sum(_bytes_written(file) for file in files)


def _bytes_written(path: Path) -> int:
    """The bytes of a file outside its holes; its size if the system does not support holes, or if it is a pipe.

    The blocks on the disk would mislead: a file system may compress them, or may not have written them yet.
    """
    about = path.stat()
    size, total, at = about.st_size, 0, 0
    if sys.platform == "win32" or not stat.S_ISREG(about.st_mode):  # opening a pipe could wait for ever
        return size
    try:
        with path.open("rb") as file:
            while at < size:
                start = os.lseek(file.fileno(), at, os.SEEK_DATA)
                at = os.lseek(file.fileno(), start, os.SEEK_HOLE)
                total += min(at, size) - start
    except OSError as error:
        return total if error.errno == errno.ENXIO else size  # a hole to the end
    return total


def check_file(path: Path) -> None:
    """Raise CheckpointError for a pipe or device, which could wait for ever, or for a file that is too large."""
    own = path.stat()
    if not stat.S_ISREG(own.st_mode):
        raise CheckpointError(f"'{path}' is not a file but a pipe or a device: give the .h5 or .keras file itself.")
    if own.st_size > FILE_BYTES:
        raise CheckpointError(
            f"'{path}' is of {size_text(own.st_size)}, and azx reads files of up to {size_text(FILE_BYTES)}: save the "
            "network again, without its optimizer."
        )
    if own.st_size > max(FREE_BYTES, PACKED * bytes_on_disk(path)):
        raise CheckpointError(
            f"'{path}' is of {size_text(own.st_size)}, but only {size_text(bytes_on_disk(path))} were written: "
            "copy it again, to its end."
        )


class Budget:
    """The bytes and chunks that weights in one file of `held` bytes may still use."""

    def __init__(self, held: int, where: str) -> None:
        self._where, self._held = where, held
        self.limit = min(WEIGHT_BYTES, max(FREE_BYTES, PACKED * self._held))
        self._bytes, self._pieces = self.limit, PIECES

    def spend(self, size: int, name: str, pieces: int = 1) -> None:
        """Take `size` bytes for a weight.

        CheckpointError if the file cannot contain them, or no network is so large.
        """
        self._bytes -= size
        self._pieces -= pieces
        if size > WEIGHT_BYTES:
            raise CheckpointError(
                f"{self._where}: '{name}' claims {size_text(size)}: it is not a board-game network, whose weights have "
                f"at most {size_text(WEIGHT_BYTES)}."
            )
        if self._bytes < 0:
            raise CheckpointError(
                f"{self._where}: with '{name}' its weights claim over {size_text(self.limit)}, which is more than "
                f"azx takes from a file of {size_text(self._held)}: save it again without compression."
            )
        if self._pieces < 0:
            raise CheckpointError(
                f"{self._where}: with '{name}' its weights lie in over {PIECES:,} pieces: save the model again."
            )
