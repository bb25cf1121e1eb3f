"""Checkpoints in bad hands: each is read as a network or refused in a sentence, in a gibibyte.

A hundred mutants are read with every build. AZX_FUZZ=20000 (`make fuzz`) asks for so many mutants, AZX_FUZZ_SEED begins
elsewhere, and AZX_FUZZ_SEEDS is a folder of further sound checkpoints to begin with.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sibling import sibling

built, mutators, reader, seeds = (sibling(__file__, name) for name in ("built", "mutators", "reader", "seeds"))

pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="memory is measured as Linux counts it"),
    # zipfile says so where a mutator writes a member twice.
    pytest.mark.filterwarnings("ignore:Duplicate name:UserWarning"),
]
COUNT = int(os.environ.get("AZX_FUZZ", "100"))
FIRST = int(os.environ.get("AZX_FUZZ_SEED", "0"))


@pytest.fixture(scope="module")
def reading() -> Iterator[Any]:
    """The process that reads."""
    process = reader.Reader()
    yield process
    process.close()


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """What the mutators begin with."""
    more = os.environ.get("AZX_FUZZ_SEEDS")
    return [*seeds.write_all(tmp_path_factory.mktemp("seeds")), *(sorted(Path(more).iterdir()) if more else ())]


def told(ending: Any) -> str:
    return f"{ending.failure} {ending.sentence[:200]}"


@pytest.mark.whole
def test_every_seed_is_read_or_says_what_it_lacks(sound: list[Path], reading: Any) -> None:
    endings = {path.name: reading.read(path) for path in sound}
    assert {name: told(ending) for name, ending in endings.items() if ending.is_bad} == {}
    kinds = {name: ending.kind for name, ending in endings.items() if name in seeds.SEEDS}
    assert kinds.pop("keras1.h5") == "CheckpointError"
    assert {kinds.pop("net.weights.h5"), kinds.pop("family.h5")} == {"NoArchitecture"}
    assert set(kinds.values()) == {"read"}


@pytest.mark.whole
def test_a_mutant_is_read_or_refused_in_a_sentence(sound: list[Path], reading: Any, tmp_path: Path) -> None:
    bad: dict[str, str] = {}
    for number in range(FIRST, FIRST + COUNT):
        seed = sound[number % len(sound)]
        target = tmp_path / "mutants" / str(number) / seed.name
        what = mutators.write_mutant(seed, target, Random(number))  # noqa: S311 - to be had again
        ending = reading.read(target)
        if ending.is_bad:
            bad[f"AZX_FUZZ_SEED={number} {what}"] = told(ending)
        else:
            shutil.rmtree(target.parent)
    assert bad == {}, f"kept in {tmp_path / 'mutants'}"


# What takes a while to write, or differs from another in its size alone, is left to benchmarks/bad_files.py.
QUICK = [name for name in built.BUILT if not any(part in name for part in ("20,000", "100,000", "1 GiB of", "19,000"))]


@pytest.mark.parametrize("name", QUICK)
def test_a_file_that_is_built_to_hang_or_fill_the_memory_does_neither(name: str, reading: Any, tmp_path: Path) -> None:
    path = built.BUILT[name](tmp_path)
    ending = reading.read(path)
    assert not ending.is_bad, told(ending)


SOUND = ("chain of 1,000", "chain of 3,000, last first", "called twice to depth 8", "Sequential nested 20 deep")


@pytest.mark.parametrize("name", SOUND)
def test_what_is_only_large_is_read(name: str, reading: Any, tmp_path: Path) -> None:
    assert reading.read(built.BUILT[name](tmp_path)).kind == "read"


def test_the_reader_tells_what_must_not_be(tmp_path: Path, reading: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "BYTES", -1)
    assert reader._answer(str(tmp_path)).failure.endswith("MiB")
    monkeypatch.setattr(reader, "look_at", lambda path: {}[path])
    assert reader._answer(str(tmp_path)).failure.startswith("KeyError: ")
