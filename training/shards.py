"""Training data in parts, each made from a seed and a number, the same on every machine, and kept in a folder."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


def write_beside(path: Path, write: Callable[[Path], object]) -> None:
    """Let `write` make a file beside `path`, then rename it, so that no reader sees half of it."""
    beside = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    write(beside)
    beside.replace(path)


def write_arrays(make: Callable[[int, int], object], path: Path, seed: int, number: int) -> None:
    """Write a shard that `make` makes of a seed and its number: an object whose members are arrays."""
    np.savez_compressed(path, **vars(make(seed, number)))


@dataclass(frozen=True)
class Shards:
    """Files of `size` positions or games each; `write` makes one under a name, with a seed and its number."""

    size: int
    suffix: str
    write: Callable[[Path, int, int], None]

    def path(self, folder: Path, seed: int, number: int) -> Path:
        """The path of a shard."""
        return folder / f"seed{seed}-{number:05d}{self.suffix}"

    def paths(self, folder: Path, seed: int, count: int) -> list[Path]:
        """The existing shards among those for the first `count` positions or games."""
        return [path for path in self._all(folder, seed, count) if path.exists()]

    def arrays(self, folder: Path, seed: int, count: int) -> dict[str, NDArray[Any]]:
        """The arrays of these existing shards, by name, joined."""
        parts = [np.load(path) for path in self.paths(folder, seed, count)]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0].files}

    def generate(self, folder: Path, count: int, seed: int, processes: int, minutes: float) -> None:
        """Write the shards of the first `count` that are missing, for at most `minutes`."""
        folder.mkdir(parents=True, exist_ok=True)
        missing = [n for n, path in enumerate(self._all(folder, seed, count)) if not path.exists()]
        if not missing:
            return
        start = time.monotonic()
        jobs = [(self, folder, seed, number) for number in missing]
        with multiprocessing.get_context("spawn").Pool(processes) as pool:
            for done, _ in enumerate(pool.imap(write_shard, jobs), start=1):
                passed = (time.monotonic() - start) / 60
                print(f"data: {done * self.size:,} of {len(jobs) * self.size:,} in {passed:.1f} minutes", flush=True)
                if passed > minutes:
                    return

    def _all(self, folder: Path, seed: int, count: int) -> list[Path]:
        return [self.path(folder, seed, number) for number in range(-(-count // self.size))]


def write_shard(job: tuple[Shards, Path, int, int]) -> None:
    """Write one shard, in a process that makes several."""
    shards, folder, seed, number = job
    write_beside(shards.path(folder, seed, number), lambda path: shards.write(path, seed, number))
