from __future__ import annotations

import pytest

from azx.games.rules import go, gomoku
from azx.games.rules.position import star_points


@pytest.mark.parametrize(
    ("size", "named"),
    [
        (9, "C3 C7 E5 G3 G7"),
        (13, "D10 D4 G7 K10 K4"),
        (19, "D10 D16 D4 K10 K16 K4 Q10 Q16 Q4"),
    ],
)
def test_boards_of_go_mark_their_handicap_points(size: int, named: str) -> None:
    board = go.start(size)
    assert sorted(board.label(point) for point in star_points(size)) == named.split()
    assert board.signs() == dict.fromkeys(star_points(size), "+")
    assert board.board_text().count("+") == len(star_points(size))


@pytest.mark.parametrize(("size", "count"), [(5, 0), (8, 0), (9, 5), (10, 4), (15, 5), (16, 4), (17, 9), (19, 9)])
def test_boards_of_gomoku_mark_the_corners_and_the_centre_if_they_have_one(size: int, count: int) -> None:
    points = star_points(size)
    assert len(points) == count
    assert {row * size + size - 1 - column for row, column in (divmod(point, size) for point in points)} == points
    assert gomoku.start(size).signs() == dict.fromkeys(points, "+")
