"""Reads checkpoints in a process of its own and says of each how it ended, and how much time and memory it took.

    python -P tests/fuzz/reader.py < PATHS          one path a line; one JSON object a line comes back

`Reader` is the other end: it stops a process that takes too long, or that the operating system stopped.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# The bytes that reading anything may take, above what the process had before. Seconds are for benchmarks to judge.
BYTES = 1 << 30
# A process that does not answer for as long as this hangs, whatever else the machine does.
_PATIENCE = 300.0
# Beyond this it may not go whatever it does: the machine is others' too.
_CEILING = 6 << 30
# Multiply-adds of a network that is run as well.
_SMALL = 20_000_000


@dataclass(frozen=True)
class Ending:
    """How one reading ended: `kind` is "read", the class of azx's error, or what must not be (`failure`)."""

    path: str
    kind: str
    sentence: str
    seconds: float
    bytes: int
    failure: str = ""

    @property
    def is_bad(self) -> bool:
        """Whether it ended otherwise than by a network or a sentence, or took too much."""
        return bool(self.failure)


class Reader:
    """A process that reads what it is given, started again where it had to be stopped."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str] = queue.Queue()

    def read(self, path: Path) -> Ending:
        """How the reading of a file or folder ends."""
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._start()
        assert self._process is not None
        assert self._process.stdin is not None
        print(path, file=self._process.stdin, flush=True)
        try:
            line = self._lines.get(timeout=_PATIENCE)
        except queue.Empty:
            self.close()
            return Ending(str(path), "hang", "", _PATIENCE, 0, f"no answer after {_PATIENCE:.0f} s")
        if not line:
            code = self._process.wait()
            return Ending(str(path), "crash", "", 0.0, 0, f"the process ended with {code}")
        return Ending(**json.loads(line))

    def close(self) -> None:
        """Stop the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._pump.join()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    with suppress(OSError):  # what it was still to be told
                        stream.close()
            self._process = None

    def _start(self) -> None:
        command = [sys.executable, "-P", __file__]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._lines = queue.Queue()
        self._pump = threading.Thread(target=_pump, args=(self._process, self._lines), daemon=True)
        self._pump.start()


def _pump(process: subprocess.Popen[str], lines: queue.Queue[str]) -> None:
    """Hand on what a process says; an empty line where it has ended."""
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line)
    lines.put("")


def look_at(path: Path) -> str:
    """Read a checkpoint as `azx inspect` does, and build and run what is read; says what it was."""
    from azx.bundle import inspect
    from azx.bundle.case.checkpoint import Checkpoint
    from azx.commands.printed.output import print_json
    from azx.errors import AzxError, NoArchitecture, UnsupportedLayer
    from azx.export.checkpoint.located import file_and_config, find_checkpoint
    from azx.export.checkpoint.presets.table import PRESETS, find_preset
    from azx.export.checkpoint.read import read_checkpoint
    from azx.export.checkpoint.stored import skeleton, stored_layers
    from azx.validate.witness.evaluate import evaluate

    graphs: list[Any] = []

    def reading(*arguments: Any, **options: Any) -> Any:
        graphs.append(read_checkpoint(*arguments, **options))
        return graphs[-1]

    vars(inspect)["read_checkpoint"] = reading  # what it reads is run below
    path = find_checkpoint(path)
    try:
        found = inspect.inspect_checkpoint(Checkpoint(path))
    except NoArchitecture:
        layers = stored_layers(file_and_config(path, None)[0])
        skeleton(layers, path.name).encode()
        guess = find_preset(layers)
        for preset in PRESETS if guess is None else (guess,):
            try:
                read_checkpoint(path, preset=preset)
            except AzxError:
                continue
        raise
    print_json(found)
    if found.multiply_adds is not None and found.multiply_adds < _SMALL:
        import numpy as np

        graph = graphs[0]

        try:
            evaluate(graph, {spec.name: np.zeros((1, *spec.shape), np.float32) for spec in graph.inputs})
        except UnsupportedLayer:
            return "read, not run"
    return "read, no canonical form" if found.multiply_adds is None else "read"


def _answer(path: str) -> Ending:
    """What `look_at` comes to, measured."""
    from azx.errors import AzxError

    before, start = _memory(reset=True), time.process_time()
    kind, sentence, failure = "", "", ""
    try:
        kind = look_at(Path(path))
    except AzxError as error:
        kind, sentence = type(error).__name__, str(error)
        try:
            sentence.encode()
        except UnicodeEncodeError:
            failure, sentence = "a sentence that cannot be printed", ascii(sentence)
        if len(sentence) > 3000 or "\n" in sentence:
            failure, sentence = "a sentence that is none", sentence[:200]
    except BaseException as error:  # whatever it is, it must not be
        kind, failure = type(error).__name__, f"{type(error).__name__}: {ascii(str(error))[:200]}{_where(error)}"
    seconds, size = time.process_time() - start, max(_memory() - before, 0)
    if not failure and size > BYTES:
        failure = f"took {size / 2**20:.0f} MiB"
    return Ending(path, kind, sentence, round(seconds, 3), size, failure)


def _where(error: BaseException) -> str:
    """The place in azx where an exception came from."""
    import traceback

    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "/azx/" in frame.filename]
    return "".join(f" < {Path(frame.filename).name}:{frame.lineno}" for frame in frames[:-5:-1])


def _memory(*, reset: bool = False) -> int:
    """Bytes that the process has at most had since the last reset, as Linux counts them; 0 elsewhere."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) << 10


def main() -> None:
    """Answer each path of standard input with a line."""
    import resource

    import azx.bundle.inspect  # noqa: F401 - so that the first file is not charged with it
    from azx.validate.witness import evaluate  # noqa: F401

    resource.setrlimit(resource.RLIMIT_AS, (_CEILING, _CEILING))
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is printed is no answer
    for line in sys.stdin:
        ending: Any = _answer(line.rstrip("\n"))
        print(json.dumps(vars(ending)), file=answers, flush=True)


if __name__ == "__main__":
    main()
