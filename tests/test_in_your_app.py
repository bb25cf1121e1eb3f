"""docs/in-your-app.md: its listings in Python run as they stand; those of the other languages are their apps' tests."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from azx.bundle.copied import copy_bundle
from azx.export.checkpoint.read import read_checkpoint
from azx.validate.witness.evaluate import evaluate


@pytest.fixture(scope="module")
def page(repository: Path) -> str:
    return (repository / "docs" / "in-your-app.md").read_text(encoding="utf8")


@pytest.fixture(scope="module")
def place(small_bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with bundles/connect4: of a network that reads the board as the shipped one does."""
    folder = tmp_path_factory.mktemp("app")
    copy_bundle(small_bundle, folder / "bundles" / "connect4", Path("connect4.h5"), noted=False)
    return folder


@pytest.fixture(scope="module")
def value(small_checkpoint: Path) -> float:
    """What the original says of an empty board, by the witness in float64."""
    graph = read_checkpoint(small_checkpoint)
    answers = evaluate(graph, {graph.inputs[0].name: np.zeros((1, 2, 6, 7))})
    return float(answers["value_head"][0, 0])


def listings(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


@pytest.mark.parametrize("number", range(3))
def test_a_listing_in_python_runs_as_it_stands(number: int, page: str, place: Path, value: float) -> None:
    code = listings(page, "python")[number]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=place, check=False)
    assert done.returncode == 0, done.stderr
    shapes, found = done.stdout.strip().rsplit(" ", 1)
    assert shapes == "(1, 1) (1, 42)"
    assert float(found) == pytest.approx(value, abs=1e-5)


def test_the_page_has_these_listings_and_no_others(page: str) -> None:
    counts = {language: len(listings(page, language)) for language in ("python", "js", "ts")}
    assert counts == {"python": 3, "js": 1, "ts": 2}
    assert page.count("```") == 2 * sum(counts.values())
    for listing in (each for language in counts for each in listings(page, language)):
        assert len(listing.splitlines()) <= 15
