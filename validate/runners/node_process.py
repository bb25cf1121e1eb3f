"""A Node process that answers positions, the messages between it and azx, and the runner around it."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ...errors import BundleError, Refused
from ...system.own_limits import Watchdog
from .runner import Runner, Tensors, repeat_last
from .tfjs_packages import PROJECT

Message = tuple[dict[str, Any], bytes]

# Limits in processor seconds, far more than a sound model takes: to start, and per position by the model's bytes.
# TF.js' plain cpu backend takes 0.07 for a network of 4 MB, the others less.
_START_SECONDS, _SECONDS_PER_POSITION, _BYTES_A_SECOND = 60.0, 1.0, 4 << 20
_FREE_BATCH = 64
_REPLIED = {"float32": "<f4", "int32": "<i4", "bool": "|b1"}


def arrays_in(reply: Mapping[str, Any], data: bytes) -> Tensors:
    """The outputs in a reply, whose arrays follow one another, little-endian."""
    answers: Tensors = {}
    at = 0
    for spec in reply["outputs"]:
        dtype, count = np.dtype(_REPLIED[spec["dtype"]]), int(np.prod(spec["shape"]))
        answers[spec["name"]] = np.frombuffer(data, dtype, count, at).reshape(spec["shape"])
        at += count * dtype.itemsize
    return answers


class NodeProcess:
    """A script of tfjs_node with an open model (messages.mjs describes the messages' form).

    `names` are the names of the runtime and the model for sentences; `started` is the process's first message, sent
    when the model was open. Raises BundleError if the model cannot be opened, Refused if the runtime does not accept
    it.
    """

    def __init__(self, script: str, names: tuple[str, str], model: Path, *arguments: str | Path) -> None:
        self._runtime, self._model = names
        self.size = sum(file.stat().st_size for file in (model, *model.rglob("*")) if file.is_file())
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed in close()
        self._process = subprocess.Popen(
            [shutil.which("node") or "node", PROJECT / script, model, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
        )
        try:
            self.started: dict[str, Any] = self._within(_START_SECONDS, self._read)[0]
        except BaseException:
            self.close()
            raise

    def ask(self, header: Mapping[str, Any], payload: bytes, seconds: float) -> Message:
        """One question and its answer.

        The process is killed if it takes more processor time than a start and `seconds`.
        """

        def exchange() -> Message:
            line = json.dumps({**header, "bytes": len(payload)}).encode() + b"\n"
            self._stdin.write(line + payload)
            self._stdin.flush()
            return self._read()

        return self._within(_START_SECONDS + seconds, exchange)

    def close(self) -> None:
        """End the process by closing its input; kill it if it does not end."""
        try:
            self._process.communicate(timeout=5)
        except (subprocess.TimeoutExpired, OSError, ValueError):
            self._process.kill()
            self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._stderr):
            # The rest of its buffer cannot reach a process that has ended.
            with suppress(OSError):
                if stream is not None:
                    stream.close()

    @property
    def _stdin(self) -> IO[bytes]:
        assert self._process.stdin is not None  # noqa: S101 - opened as a pipe
        return self._process.stdin

    def _within(self, seconds: float, exchange: Callable[[], Message]) -> Message:
        """Run `exchange`; the process is killed after `seconds` of processor time, which ends every read and write."""
        with Watchdog(self._process, seconds) as watched:
            try:
                return exchange()
            except (OSError, ValueError, EOFError) as error:
                limit = f"no answer within {seconds:.0f} s of processor time, azx's limit for a model of this size"
                reason = limit if watched.is_over else self._last_words() or str(error)
                raise BundleError(f"{self._model}: Node stopped while it ran the model ({reason}).") from error

    def _read(self) -> Message:
        """One message; EOFError if the process has ended, BundleError if it reports a fault."""
        assert self._process.stdout is not None  # noqa: S101 - opened as a pipe
        line = self._process.stdout.readline()
        if not line:
            raise EOFError("the process ended")
        header = json.loads(line)
        data = self._process.stdout.read(header["bytes"])
        if len(data) < header["bytes"]:
            raise EOFError("the answer was cut short")
        if not header["ok"]:
            reason = " ".join(header["error"].split()).rstrip(".")
            if header.get("damaged"):
                raise BundleError(f"{self._model}: {self._runtime} cannot load it ({reason}): export it again.")
            raise Refused(f"{self._model}: {self._runtime} cannot run the model ({reason}).")
        return header, data

    def _last_words(self) -> str:
        """The last line that Node wrote to stderr."""
        self._stderr.seek(0)
        lines = self._stderr.read().decode(errors="replace").strip().splitlines()
        return lines[-1].strip() if lines else ""


class NodeRunner(Runner):
    """A runner whose `open` starts a Node process, which stays open between batches; it has one thread."""

    in_process = False
    _node: NodeProcess | None = None

    @property
    def node(self) -> NodeProcess:
        """The process; RuntimeError if it is not open."""
        if self._node is None:
            raise RuntimeError(f"{type(self).__name__} is not open")
        return self._node

    @property
    def runtime(self) -> str:
        """The package, its version and build, and Node's, as the process reports them."""
        return str(self.node.started["runtime"])

    def close(self) -> None:
        """End the Node process."""
        if self._node is not None:
            self._node.close()
            self._node = None

    def step(self, total: int) -> int:
        """The batch size; for a file with a free batch, azx's choice."""
        return self.signature().inputs[0].shape[0] or min(total, _FREE_BATCH)

    def run(self, feeds: Mapping[str, NDArray[Any]]) -> Tensors:
        """Answer N positions in one message: {input: (N, ...)} -> {output: (N, ...)}; Node loops over batches."""
        total = len(next(iter(feeds.values())))
        short = -total % (self.signature().inputs[0].shape[0] or 1)  # Node takes whole batches
        return {name: values[:total] for name, values in self.ask(repeat_last(feeds, short), self.step(total)).items()}

    def run_batch(self, feeds: Mapping[str, NDArray[Any]]) -> Tensors:
        """Answer one batch: feeds (batch, ...) give (batch, ...) by output."""
        return self.ask(feeds, len(next(iter(feeds.values()))))

    def bench(self, feeds: Mapping[str, NDArray[Any]], warmup: int = 20, repeats: int = 100) -> list[float]:
        """Milliseconds per batch, `repeats` of them; Node measures feeding, running and reading back."""
        header = {"op": "bench", "warmup": warmup, "repeats": repeats}
        reply, _ = self._request(header, feeds, self.step(1), warmup + repeats)
        return [float(value) for value in reply["milliseconds"]]

    def ask(
        self,
        feeds: Mapping[str, NDArray[Any]],
        step: int,
        outputs: Sequence[str] | None = None,
        header: Mapping[str, Any] = MappingProxyType({"op": "run"}),
    ) -> Tensors:
        """Run the feeds (N, ...) in batches of `step`: {output: (N, ...)}, all outputs by default."""
        chosen = header if outputs is None else {**header, "outputs": list(outputs)}
        return arrays_in(*self._request(chosen, feeds, step, len(next(iter(feeds.values())))))

    def _request(
        self, header: Mapping[str, Any], feeds: Mapping[str, NDArray[Any]], step: int, positions: int
    ) -> Message:
        """Send the feeds (N, ...), in the ports' order and dtypes; `positions` sets how long the answer may take."""
        signature = self.signature()
        arrays = [np.ascontiguousarray(feeds[port.name], dtype=port.dtype) for port in signature.inputs]
        ports = zip(signature.inputs, arrays, strict=True)
        inputs = [{"name": port.name, "dtype": port.dtype, "shape": array.shape} for port, array in ports]
        whole = {"step": step, "inputs": inputs, "outputs": [port.name for port in signature.outputs], **header}
        payload = b"".join(array.tobytes() for array in arrays)
        return self.node.ask(whole, payload, positions * (_SECONDS_PER_POSITION + self.node.size / _BYTES_A_SECOND))
