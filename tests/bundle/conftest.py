"""Fixtures of the claims of a bundle."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.support.held import Held, Once, hold


@pytest.fixture(scope="module")
def computed_once(
    small_bundle: Path, small_checkpoint: Path, here: Any, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Held, Once]:
    """The small network's bundle, and what makes azx compute just once what does not depend on a lie."""
    folder = Path(shutil.copytree(small_bundle, tmp_path_factory.mktemp("held") / small_bundle.name))
    held = hold(folder, small_checkpoint, here)
    # Of a seed the first positions are the same, however many are asked for: forty take less time than a thousand.
    about = held.honest["positions"]
    about.update(count=40, extreme=4, looked_through=120, description=about["description"].replace("256", "40"))
    return held, Once()


@pytest.fixture
def held(computed_once: tuple[Held, Once], monkeypatch: pytest.MonkeyPatch) -> Held:
    """The small network's bundle, which is not proved but held to its manifest."""
    bundle, once = computed_once
    once.put_in(monkeypatch)
    return bundle
