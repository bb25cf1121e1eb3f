"""Fixtures that more than one test file needs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def repository() -> Path:
    """The checkout that these tests lie in."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real checkpoints beside the checkout; AZX_SHARED_DATA names another place."""
    folder = Path(os.environ.get("AZX_SHARED_DATA", REPOSITORY.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"the folder of real checkpoints, {folder}, is not there")
    return folder
