"""What a checkpoint may claim, each with its reason: sizes are compared before anything of that size is read or made.

A file of some kilobytes can claim any number of layers and any size. With these limits reading one takes seconds and
less than a gibibyte beyond the weights themselves, whatever it claims; SECURITY.md lists them.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path

from ....errors import CheckpointError
from ....system.plain_file import size_text

# A network of 40 blocks and 256 channels has 190 MiB of weights, and 570 with what Adam keeps of them in the same file.
FILE_BYTES = 3 << 29
WEIGHT_BYTES = 512 << 20
# Keras compresses nothing, others at most to a quarter; small weights may all be zeros and compress to nothing.
PACKED, FREE_BYTES = 4, 64 << 20
# Pieces in which the weights of a file may lie: h5py's own are of some kilobytes and more.
PIECES = 100_000
# The JSON of 40 blocks is of 0.4 MiB; each layer takes about 1.5 KiB.
JSON_BYTES, JSON_VALUES, JSON_DEPTH = 8 << 20, 500_000, 200
# YAML is read some thirty times slower.
YAML_BYTES = 1 << 20
# Calls of layers, models inside models opened; EfficientNet's largest has 800.
LAYERS, REFERENCES = 4_000, 100_000
# Models inside models, and outputs or inputs of one.
DEPTH, PORTS = 32, 100
# Objects in an HDF5 file, or names in one list of it; and groups within groups.
NAMES, GROUPS = 20_000, 64
NAME_LENGTH = 1_000
# Values of an input, of any tensor and of a kernel made for it. An image of 224 x 224 in 64 channels has 3 million.
INPUT_VALUES, TENSOR_VALUES = 1 << 20, 1 << 24
# Values that a graph's operations make of numbers in the file, all together: 30 million weights, each four times.
FOLDED_VALUES = 1 << 27
# A side of a window, a stride, a margin.
SIDE = 10_000
# What a SavedModel keeps beside its weights: bytes of each file, fields of all messages, entries of its checkpoint.
MESSAGE_BYTES, FIELDS, ENTRIES = 64 << 20, 1_000_000, 100_000
# Operations of a pickle: PyTorch writes some fifty for each tensor.
PICKLED = 1_000_000
# The list of files in a zip archive, some 90 bytes each.
DIRECTORY_BYTES = 4 << 20


def bytes_on_disk(path: Path) -> int:
    """The bytes that were ever written to a file, without its holes. For a folder, the sum over all of its files."""
    files = [path] if not path.is_dir() else [file for file in path.rglob("*") if file.is_file()]
    return sum(_bytes_written(file) for file in files)


def _bytes_written(path: Path) -> int:
    """The bytes of a file that lie in no hole; its size if the system does not know of holes, or it is a pipe.

    The blocks that it takes on the disk say something else: a file system may pack it, or have written none yet.
    """
    about = path.stat()
    size, total, at = about.st_size, 0, 0
    if sys.platform == "win32" or not stat.S_ISREG(about.st_mode):  # to open a pipe could wait for ever
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
    """CheckpointError for what is no plain file, which could wait for ever, or larger than any checkpoint."""
    own = path.stat()
    if not stat.S_ISREG(own.st_mode):
        raise CheckpointError(f"'{path}' is no file but a pipe or a device: give the .h5 or .keras file itself.")
    if own.st_size > FILE_BYTES:
        raise CheckpointError(
            f"'{path}' is of {size_text(own.st_size)}, and azx reads files of up to {size_text(FILE_BYTES)}: save the "
            "network again, without its optimizer."
        )
    if own.st_size > max(FREE_BYTES, PACKED * bytes_on_disk(path)):
        raise CheckpointError(
            f"'{path}' is of {size_text(own.st_size)}, of which {size_text(bytes_on_disk(path))} were ever written: "
            "copy it again, to its end."
        )


class Budget:
    """The bytes and pieces that weights in one file of `held` bytes may still take."""

    def __init__(self, held: int, where: str) -> None:
        self._where, self._held = where, held
        self.limit = min(WEIGHT_BYTES, max(FREE_BYTES, PACKED * self._held))
        self._bytes, self._pieces = self.limit, PIECES

    def spend(self, size: int, name: str, pieces: int = 1) -> None:
        """Take `size` bytes for a weight; CheckpointError if the file cannot hold so much, or no network has it."""
        self._bytes -= size
        self._pieces -= pieces
        if size > WEIGHT_BYTES:
            raise CheckpointError(
                f"{self._where}: '{name}' claims {size_text(size)}: it is no board-game network, whose weights are of "
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
