"""The page in Chromium: plots and boards are seen at any width, light and dark, and nothing is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import CHROMIUM, visit
from manifests import part_with
from proofs import of_game

from azx.manifest import Manifest
from azx.pages.bundle_page import Facts, page
from azx.pages.figures import read_bench
from azx.pages.markup import POLICY

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"there is no Chromium at {CHROMIUM}")
OUTSIDE = "http://127.0.0.1:9/picture.png"
BENCH = {"rounds": 1, "threads": 1, "artifacts": [{"path": "net.onnx", "size": 100_000, "latency": {"p50": 4e-4}}]}
SEEN = """[...document.querySelectorAll("details")].map((part) => (part.open = true)),
[...document.querySelectorAll("svg")].filter((svg) => svg.getBoundingClientRect().width > 90).length"""
ALL, WIDTH = 'document.querySelectorAll("svg").length', "document.documentElement.scrollWidth"
GROUND = "getComputedStyle(document.body).backgroundColor"
SMALLEST = """Math.min(...[...document.querySelectorAll("svg.plot text")].map(
  (text) => parseFloat(getComputedStyle(text).fontSize) * Math.hypot(text.getCTM().a, text.getCTM().b)))"""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    manifest, parity = of_game("connect4")
    manifest["name"] = f"<img src={OUTSIDE}>"
    file = tmp_path_factory.mktemp("page") / "report.html"
    file.write_text(
        page(part_with(Manifest, manifest), parity, "0.1.0", Facts(bench=read_bench(BENCH))), encoding="utf8"
    )
    return file


DARK, LIGHT = "rgb(16, 21, 31)", "rgb(244, 245, 248)"


@pytest.mark.parametrize(("width", "dark", "ground"), [(390, True, DARK), (1200, False, LIGHT)])
def test_every_plot_is_seen_and_nothing_is_asked_for(
    width: int, dark: bool, ground: str, written: Path, tmp_path: Path
) -> None:
    found = visit(written, [SEEN, ALL, WIDTH, GROUND, SMALLEST], tmp_path, width=width, dark=dark)
    seen, every, wide, shown, smallest = found.answers
    assert seen == every == 4 * (2 + 1 + 6) + 1
    assert wide <= width
    assert shown == ground
    assert smallest > 7
    assert found.requests == [written.as_uri()]
    assert found.refused == []


def test_a_page_that_asks_is_found_out_and_its_own_policy_would_refuse(written: Path, tmp_path: Path) -> None:
    text = written.read_text(encoding="utf8").replace("</main>", f'<img src="{OUTSIDE}"></main>')
    for name, told in (("refused", text), ("asked", text.replace(POLICY, ""))):
        file = tmp_path / f"{name}.html"
        file.write_text(told, encoding="utf8")
        found = visit(file, [ALL], tmp_path / name)
        if name == "asked":
            assert OUTSIDE in found.requests
        else:
            assert any("Content Security Policy" in line for line in found.refused)
