"""Checkpoints of a training run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from versions import version as disturbed


@pytest.fixture(scope="session")
def versions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with version1.h5, version2.h5 and version10.h5; to be copied, not changed."""
    folder = tmp_path_factory.mktemp("training") / "runs"
    for number in (1, 2, 10):
        disturbed(folder, number)
    return folder


@pytest.fixture(scope="session")
def version() -> Callable[[Path, int], Path]:
    """Writes a checkpoint: version(folder, number)."""
    written: Callable[[Path, int], Path] = disturbed
    return written
