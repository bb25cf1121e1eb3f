"""A bundle's network as a function in the best installed runtime: planes in, each head's answers out.

It needs only NumPy and one runtime: no TensorFlow if ONNX Runtime or LiteRT is installed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..errors import AzxError, BundleError, GameError, NotRunHere, first_line
from ..export.checkpoint.head import Head
from ..export.formats.table import FORMATS, Format, check_name
from ..export.graph.frozen import Port
from ..manifest import Manifest
from ..system.arrays import AnyArray, as_float32
from ..system.quietly import quietly
from ..validate.runners.runner import Runner
from .contents.manifest import check_artifact, heads_in, read_manifest, sound_exact_last
from .contents.unwritten import why_not_written

Planes = NDArray[np.float32]
# The largest batch in Core ML's range; no runtime gets faster with more.
LARGEST_BATCH = 64


class BundledNetwork:
    """A bundle's open network, made by `azx.load`; also a context manager. `close` releases it.

    Attributes:
        manifest: manifest.json as JSON types.
        inputs: name, shape (the batch first, None if it is free) and dtype of each input, in the manifest's order.
        outputs: name, role, activation and shape (without the batch) of each head, in the manifest's order.
        format: the format that answers: onnx, tflite, pb, tfjs or coreml.
        path: the artifact.
        runtime: the runtime that answers, with its version.

    """

    def __init__(self, path: Path, entry: Format, manifest: Manifest) -> None:
        self.path, self.format, self.manifest = path, entry.name, manifest.as_data()
        self.inputs = tuple(
            Port(port.name, (manifest.batch, *port.shape), port.dtype, port.source_name) for port in manifest.inputs
        )
        self.outputs: tuple[Head, ...] = heads_in(manifest)
        with quietly():
            self._runner: Runner = entry.open(path).__enter__()
            self.runtime: str = self._runner.runtime

    def __repr__(self) -> str:
        return f"BundledNetwork({str(self.path)!r}: {self.runtime}, {self.manifest['game'] or 'game unknown'})"

    def predict(self, planes: AnyArray | Mapping[str, AnyArray]) -> dict[str, Planes]:
        """The network's answers.

        Args:
            planes: real numbers of (batch, *input shape), any batch, as the manifest's `encoding` describes it: a list,
                or an array of NumPy, PyTorch, JAX or any library with `__array__` or DLPack. They become float32. For
                several inputs: a mapping from each input's name to such an array.

        Returns:
            Each head's answers by its name, in the manifest's order, float32 (batch, *head's shape). Logits stay
                logits.

        Raises:
            GameError: the planes have another shape or are not real numbers, or an input is missing.
            BundleError: the runtime fails.

        """
        feeds = self._feeds(planes)
        total = len(next(iter(feeds.values())))
        if not total:
            return {head.name: np.zeros((0, *head.shape), np.float32) for head in self.outputs}
        free = self.inputs[0].shape[0] is None
        starts = range(0, total, LARGEST_BATCH if free else total)
        try:
            parts = [
                self._runner.run({name: feed[at : at + starts.step] for name, feed in feeds.items()}) for at in starts
            ]
        except AzxError:
            raise
        except Exception as error:  # a runtime may raise any error
            raise BundleError(
                f"'{self.path}' does not run ({first_line(error)}): export its checkpoint again."
            ) from error
        return {
            head.name: np.concatenate([part[head.name] for part in parts]).reshape(total, *head.shape)
            for head in self.outputs
        }

    def close(self) -> None:
        """Release the runtime."""
        self._runner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _feeds(self, planes: AnyArray | Mapping[str, AnyArray]) -> dict[str, Planes]:
        """The planes by input, checked."""
        names = [port.name for port in self.inputs]
        if not isinstance(planes, Mapping):
            if len(names) > 1:
                listed = ", ".join(f"'{name}'" for name in names)
                raise GameError(f"'{self.path}' has the inputs {listed}: give a mapping with an array for each.")
            planes = {names[0]: planes}
        odd = next((name for name in (*names, *planes) if name not in planes or name not in names), None)
        if odd is not None:
            what = "is missing" if odd in names else "is not an input of the network"
            raise GameError(f"'{self.path}': input '{odd}' {what}: give {', '.join(names)}.")
        feeds = {port.name: self._feed(port, planes[port.name]) for port in self.inputs}
        if len({len(feed) for feed in feeds.values()}) > 1:
            raise GameError(f"'{self.path}': the inputs have different batches: give each as many positions.")
        return feeds

    def _feed(self, port: Port, given: AnyArray) -> Planes:
        shape = port.shape[1:]
        wanted = f"float32 ({', '.join(map(str, ('batch', *shape)))})"
        where = f"'{self.path}': input '{port.name}'"
        try:
            planes = as_float32(given)
        except Exception as error:  # another library's array may raise any error
            raise GameError(
                f"{where} is not an array ({type(given).__name__}, {first_line(error)}): give {wanted}."
            ) from error
        if planes is None:
            raise GameError(f"{where} holds no real numbers ({type(given).__name__}): give {wanted}.")
        if planes.shape[1:] != shape or not planes.ndim:
            one = ", for one position planes[None]" if planes.shape == shape else ""
            raise GameError(f"{where} has the shape {planes.shape}: give {wanted}{one}.")
        return planes


def load(bundle: str | Path, *, format: str | None = None) -> BundledNetwork:
    """Open the network of a bundle for prediction.

        network = azx.load("bundles/connect4")
        heads = network.predict(planes)          # {"value_head": (batch, 1), "policy_head": (batch, 42)}

    Args:
        bundle: the folder that azx export wrote.
        format: pb, tflite, onnx, tfjs or coreml; None for the quickest one that runs here; ONNX comes first.

    Returns:
        The network, open; the artifact's files have the SHA-256 that the manifest records.

    Raises:
        BundleError: the bundle is missing or damaged, has no artifact of the format, or one of its files has changed.
        NotRunHere: the runtime is not installed here; the sentence says how to add it.
        AzxError: the format is unknown.

    """
    folder = Path(bundle)
    manifest = read_manifest(folder)
    entry, path = choose_artifact(folder, manifest, format)
    check_artifact(folder, path, manifest)
    try:
        return BundledNetwork(folder / path, entry, manifest)
    except NotRunHere as error:
        raise NotRunHere(f"'{folder / path}' cannot be run here: {error}.") from error


def choose_artifact(folder: Path, manifest: Manifest, wanted: str | None = None) -> tuple[Format, str]:
    """The artifact of a format, or the quickest one here, and its path in the bundle.

    If a format has several precisions, float32 comes first, then one that passed its gate. BundleError if no artifact
    fits; AzxError for an unknown format.
    """
    listed = {artifact.format: artifact.path for artifact in sound_exact_last(manifest.artifacts)}
    choices: Sequence[Format] = sorted((FORMATS[name] for name in listed if name in FORMATS), key=lambda e: e.speed)
    if wanted is not None:
        check_name(wanted)
        if wanted not in listed:
            held = ", ".join(entry.name for entry in choices) or "none that azx can run"
            if reason := why_not_written(folder, wanted):
                raise BundleError(
                    f"'{folder}' holds no {wanted} artifact, and its export could not write one ({reason}): "
                    f"choose one of {held}."
                )
            raise BundleError(f"'{folder}' holds no {wanted} artifact: choose one of {held}, or export it again.")
        return FORMATS[wanted], listed[wanted]
    if not choices:
        raise BundleError(f"'{folder}' holds no artifact that azx can run: export the checkpoint again.")
    chosen = next((entry for entry in choices if entry.runs_here()), choices[0])
    return chosen, listed[chosen.name]
