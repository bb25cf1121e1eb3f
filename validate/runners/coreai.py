"""Core AI: Apple's own runtime, which the package coreai-core provides for Linux and macOS."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import BundleError, Refused, first_line
from ...export.formats.to_coreai import FUNCTION
from ...system.quietly import quietly
from .runner import Port, Runner, Signature, Tensors


class CoreAIRunner(Runner):
    """One .aimodel, compiled for this machine's processor when it is opened."""

    format = "coreai"

    @property
    def runtime(self) -> str:
        """Core AI's version."""
        from importlib.metadata import version

        return f"Core AI, coreai-core {version('coreai-core')}, CPU"

    def open(self) -> None:
        """Compile and load the asset; BundleError if it is not an asset, Refused if Core AI does not accept it."""
        from coreai.authoring import AIModelAsset

        try:
            asset = AIModelAsset.load(self.path)
        except Exception as error:  # Core AI's exceptions have no common base
            raise BundleError(
                f"'{self.path.name}' is not a Core AI asset that can be read: export it again."
            ) from error
        # Its functions are asynchronous: they run in the runner's own loop, one after another.
        self._loop, self._opened = asyncio.Runner(), AsyncExitStack()
        try:
            with quietly():
                model = self._loop.run(self._opened.enter_async_context(asset.executable()))
                self._function = model.load_function(FUNCTION)
        except Exception as error:
            self.close()
            raise Refused(f"Core AI does not load it ({first_line(error)})") from error

    def close(self) -> None:
        """Remove the compiled asset."""
        self._function = None
        self._loop.run(self._opened.aclose())
        self._loop.close()

    def signature(self) -> Signature:
        """The inputs and outputs of `main`, in its order."""
        about = self._function.desc
        return Signature(
            tuple(_port(name, about.input_descriptor(name)) for name in about.input_names),
            tuple(_port(name, about.output_descriptor(name)) for name in about.output_names),
        )

    def run_batch(self, feeds: Mapping[str, NDArray[Any]]) -> Tensors:
        """One run: feeds (batch, ...) give (batch, ...) by output."""
        from coreai.runtime import NDArray as Given

        given = {name: Given(np.ascontiguousarray(feed, np.float32)) for name, feed in feeds.items()}
        answer = self._loop.run(self._function(given))
        # The arrays are views of memory that the runtime reuses.
        return {name: np.array(tensor.numpy()) for name, tensor in answer.items()}


def _port(name: str, about: Any) -> Port:
    shape = tuple(None if size is None or size < 0 else int(size) for size in about.shape)
    return Port(name, shape, str(about.dtype))
