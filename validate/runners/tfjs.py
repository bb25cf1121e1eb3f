"""Runs a TF.js graph model with the official packages in Node; without Node, TensorFlow runs what model.json says."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ...errors import BundleError, Refused
from .runner import Runner, Signature, Tensors
from .tfjs_decoded import TfjsDecodedRunner
from .tfjs_files import ModelFiles, misnamed, read_model
from .tfjs_packages import PROJECT, node_ready, packages_folder

Message = tuple[dict[str, Any], bytes]

_START_SECONDS = 60.0
_SECONDS_PER_POSITION = 1.0  # the plain cpu backend takes 0.07 for the seed network
_FREE_BATCH = 64
_REPLIED = {"float32": "<f4", "int32": "<i4", "bool": "|b1"}


def open_tfjs(path: Path) -> Runner:
    """The runner for a TF.js folder: Node where `node_ready()`, otherwise TensorFlow on the decoded graph."""
    reason = node_ready()
    return TfjsRunner(path) if reason is None else TfjsDecodedRunner(path, reason)


class TfjsRunner(Runner):
    """A TF.js graph model in a Node process that stays open between batches; `backend` is wasm or cpu."""

    in_process = False

    def __init__(self, path: Path, backend: str = "wasm") -> None:
        super().__init__(path)
        self._backend = backend
        self._files: ModelFiles | None = None
        self._node: _Node | None = None

    @property
    def runtime(self) -> str:
        """For example "@tensorflow/tfjs 4.22.0, wasm backend (SIMD), Node 20.20.2"."""
        return self._started().runtime

    def open(self) -> None:
        """Check the files and start Node; raises BundleError where either fails."""
        self._files = read_model(self.path)
        self._node = _Node(self._files.folder, self._backend)

    def close(self) -> None:
        """End the Node process."""
        if self._node is not None:
            self._node.close()
            self._node = None

    def signature(self) -> Signature:
        """Names, shapes and order as model.json states them."""
        if self._files is None:
            raise RuntimeError("TfjsRunner is not open")
        return self._files.signature

    def misnamed(self, nodes: Mapping[str, str]) -> list[str]:
        """Names of the signature whose node is called otherwise: apps may ask for the node."""
        return misnamed(self._files) if self._files else []

    def run(self, feeds: Mapping[str, NDArray[Any]]) -> Tensors:
        """Answer N positions in one message: {input: (N, ...)} -> {output: (N, ...)}; Node loops over batches."""
        total = len(next(iter(feeds.values())))
        step = self.signature().inputs[0].shape[0]
        if step is not None and total % step:  # Node takes whole batches: the last row again
            short = -total % step
            feeds = {name: np.concatenate([feed, np.repeat(feed[-1:], short, axis=0)]) for name, feed in feeds.items()}
        answers = self._ask(feeds, step or min(total, _FREE_BATCH))
        return {name: values[:total] for name, values in answers.items()}

    def inner(self, feeds: Mapping[str, NDArray[Any]], nodes: Sequence[str]) -> Tensors:
        """What some nodes of the graph make of N positions, by their names: {input: (N, ...)} -> {node: (N, ...)}."""
        total = len(next(iter(feeds.values())))
        answers = self._ask(feeds, self.signature().inputs[0].shape[0] or min(total, _FREE_BATCH), nodes)
        return {name: values[:total] for name, values in answers.items()}

    def run_batch(self, feeds: Mapping[str, NDArray[Any]]) -> Tensors:
        """Answer one batch."""
        return self._ask(feeds, len(next(iter(feeds.values()))))

    def bench(self, feeds: Mapping[str, NDArray[Any]], warmup: int = 20, repeats: int = 100) -> list[float]:
        """Milliseconds a batch, `repeats` of them, timed inside Node around feeding, running and reading back."""
        header, payload = self._request("bench", feeds, self.signature().inputs[0].shape[0] or 1)
        header |= {"warmup": warmup, "repeats": repeats}
        reply, _ = self._started().ask(header, payload, (warmup + repeats) * _SECONDS_PER_POSITION)
        return [float(value) for value in reply["milliseconds"]]

    def _ask(self, feeds: Mapping[str, NDArray[Any]], step: int, nodes: Sequence[str] | None = None) -> Tensors:
        """Run the feeds in batches of `step`; the reply's arrays lie one after the other, little-endian."""
        header, payload = self._request("run", feeds, step)
        if nodes is not None:
            header["outputs"] = list(nodes)
        total = len(next(iter(feeds.values())))
        reply, data = self._started().ask(header, payload, total * _SECONDS_PER_POSITION)
        answers: Tensors = {}
        at = 0
        for spec in reply["outputs"]:
            dtype, count = np.dtype(_REPLIED[spec["dtype"]]), int(np.prod(spec["shape"]))
            answers[spec["name"]] = np.frombuffer(data, dtype, count, at).reshape(spec["shape"])
            at += count * dtype.itemsize
        return answers

    def _request(self, operation: str, feeds: Mapping[str, NDArray[Any]], step: int) -> tuple[dict[str, Any], bytes]:
        """Header and payload: the arrays in the signature's order and dtypes."""
        ports = self.signature().inputs
        arrays = {port.name: np.ascontiguousarray(feeds[port.name], dtype=port.dtype) for port in ports}
        inputs = [{"name": port.name, "dtype": port.dtype, "shape": arrays[port.name].shape} for port in ports]
        outputs = [port.name for port in self.signature().outputs]
        header = {"op": operation, "step": step, "inputs": inputs, "outputs": outputs}
        return header, b"".join(array.tobytes() for array in arrays.values())

    def _started(self) -> _Node:
        if self._node is None:
            raise RuntimeError("TfjsRunner is not open")
        return self._node


class _Node:
    """The Node process and its messages (their form is told in run.mjs)."""

    def __init__(self, folder: Path, backend: str) -> None:
        self._folder = folder
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed in close()
        self._process = subprocess.Popen(
            [shutil.which("node") or "node", PROJECT / "run.mjs", folder, packages_folder(), backend],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
        )
        try:
            self.runtime: str = self._within(_START_SECONDS, self._read)[0]["runtime"]
        except BaseException:
            self.close()
            raise

    def ask(self, header: Mapping[str, Any], payload: bytes, seconds: float) -> Message:
        """One question and its answer; the process is killed when it takes longer than start-up and `seconds`."""

        def exchange() -> Message:
            line = json.dumps({**header, "bytes": len(payload)}).encode() + b"\n"
            self._stdin.write(line + payload)
            self._stdin.flush()
            return self._read()

        return self._within(_START_SECONDS + seconds, exchange)

    def close(self) -> None:
        """Let the process end by closing its input, kill it where it does not."""
        try:
            self._process.communicate(timeout=5)
        except (subprocess.TimeoutExpired, OSError, ValueError):
            self._process.kill()
            self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._stderr):
            # What was left in its buffer cannot reach a process that has ended.
            with suppress(OSError):
                if stream is not None:
                    stream.close()

    @property
    def _stdin(self) -> IO[bytes]:
        assert self._process.stdin is not None  # noqa: S101 - opened as a pipe
        return self._process.stdin

    def _within(self, seconds: float, exchange: Callable[[], Message]) -> Message:
        """Run `exchange`; a watchdog kills the process after `seconds`, which ends every read and write."""
        late = threading.Event()

        def stop() -> None:
            late.set()
            self._process.kill()

        watchdog = threading.Timer(seconds, stop)
        watchdog.daemon = True
        watchdog.start()
        try:
            return exchange()
        except (OSError, ValueError, EOFError) as error:
            reason = f"no answer within {seconds:.0f} s" if late.is_set() else self._last_words() or str(error)
            raise BundleError(f"{self._folder}: Node stopped while it ran the model ({reason}).") from error
        finally:
            watchdog.cancel()

    def _read(self) -> Message:
        """One message; EOFError where the process has ended, BundleError where it reports a fault."""
        assert self._process.stdout is not None  # noqa: S101 - opened as a pipe
        line = self._process.stdout.readline()
        if not line:
            raise EOFError("the process ended")
        header = json.loads(line)
        data = self._process.stdout.read(header["bytes"])
        if len(data) < header["bytes"]:
            raise EOFError("the answer was cut short")
        if not header["ok"]:
            raise Refused(f"{self._folder}: TF.js cannot run the model ({' '.join(header['error'].split())}).")
        return header, data

    def _last_words(self) -> str:
        """The last line that Node wrote to stderr."""
        self._stderr.seek(0)
        lines = self._stderr.read().decode(errors="replace").strip().splitlines()
        return lines[-1].strip() if lines else ""
