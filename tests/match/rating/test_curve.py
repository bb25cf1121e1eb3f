"""The rating curve: what it shows of few and of many networks, and what it calls them."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from azx.match.rating.curve import APART, HEIGHT, WIDTH, curve
from azx.match.rating.elo import Interval
from azx.pages.drawing import Area, Dot, Drawing, Line, Text, as_svg_text, write_png


def drawn(names: list[str], leader: int = -1, reach: float = 40.0) -> Drawing:
    elos = [Interval(10.0 * at, 10.0 * at - reach, 10.0 * at + reach) for at in range(len(names))]
    return curve("Go: a run", names, elos, leader % len(names))


def texts(drawing: Drawing) -> list[str]:
    return [part.text for part in drawing.parts if isinstance(part, Text)]


def dots(drawing: Drawing) -> list[Dot]:
    return [part for part in drawing.parts if isinstance(part, Dot)]


def test_versions_stand_from_left_to_right_and_the_stronger_ones_higher() -> None:
    *each, leader = dots(drawn([f"version{number}" for number in range(1, 7)]))
    assert [dot.at[0] for dot in each] == sorted(dot.at[0] for dot in each)
    assert [dot.at[1] for dot in each] == sorted((dot.at[1] for dot in each), reverse=True)
    assert leader.at == each[-1].at
    assert leader.radius > each[0].radius


@pytest.mark.parametrize(
    ("names", "shown", "common"),
    [
        (["version1", "version2", "version10"], ["1", "2", "10"], "version…"),
        (["version10", "version11"], ["10", "11"], "version…"),
        (["run-1-ema", "run-2-ema"], ["1", "2"], "run-…-ema"),
        (["a1.25", "a2.35"], ["1.25", "2.35"], "a…"),
        (["early", "late"], ["early", "late"], ""),
        (["net", "net2"], ["net", "net2"], ""),
        (["same", "same"], ["same", "same"], ""),
        (["one"], ["one"], ""),
    ],
)
def test_what_all_names_share_is_said_once(names: list[str], shown: list[str], common: str) -> None:
    said = [part for part in drawn(names).parts if isinstance(part, Text) and part.kind == "grey"]
    assert [part.text for part in said if part.anchor == "middle"] == shown
    assert [part.text for part in said if part.anchor == "end"][-1] == common


def test_names_do_not_run_into_each_other() -> None:
    drawing = drawn([f"{number} of a long name" for number in range(30)])
    labels = [
        part for part in drawing.parts if isinstance(part, Text) and (part.anchor, part.kind) == ("middle", "grey")
    ]
    gaps = [right.at[0] - left.at[0] for left, right in pairwise(labels)]
    assert 1 < len(labels) < 30
    assert min(gaps) > 6.5 * max(len(label.text) for label in labels)


def test_many_networks_have_a_band_and_few_have_bars() -> None:
    few, many = (drawn([f"v{number}" for number in range(count)]) for count in (APART, APART + 1))
    assert (len(dots(few)), len([part for part in few.parts if isinstance(part, Area)])) == (APART + 1, 0)
    assert (len(dots(many)), len([part for part in many.parts if isinstance(part, Area)])) == (1, 1)


@pytest.mark.parametrize("reach", [0.0, 40.0, 5_000.0, math.inf])
@pytest.mark.parametrize("count", [1, 2, 200])
def test_everything_stays_in_the_picture(reach: float, count: int) -> None:
    drawing = drawn([f"version{number}" for number in range(count)], reach=reach)
    for part in drawing.parts:
        points = part.points if isinstance(part, Line | Area) else (part.at,)
        assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in points)
    assert drawn(["a"]).parts


def test_svg_is_sound_and_takes_no_text_for_a_tag() -> None:
    tree = ElementTree.fromstring(as_svg_text(drawn(["<script>", "a&b"])))  # noqa: S314 - of this process's own making
    assert tree.get("viewBox") == f"0 0 {WIDTH} {HEIGHT}"
    assert "<script> +0" in "".join(tree.itertext())
    assert not [each for each in tree.iter() if each.tag.endswith("script")]


def test_png_shows_the_drawings_one_below_the_other(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    write_png([drawn(["v1", "v2"]), drawn(["w1", "w2"])], tmp_path / "two.png")
    with image.open(tmp_path / "two.png") as picture:
        assert picture.size == (2 * WIDTH, 4 * HEIGHT)
        shown = picture.convert("RGB")
        assert shown.getpixel((0, 0)) == (255, 255, 255)
        accents = [y for y in range(shown.height) if any(is_accent(shown.getpixel((x, y))) for x in range(shown.width))]
    assert min(accents) < 2 * HEIGHT < max(accents)


def is_accent(pixel: tuple[int, int, int]) -> bool:
    return pixel[2] > 180 and pixel[0] < 60
