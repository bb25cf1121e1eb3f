"""Go against a slow second implementation: a dictionary of stones, groups by recursion, all boards kept."""

from __future__ import annotations

import numpy as np
import pytest

from azx.games.rules.go import Go

Point = tuple[int, int]
Stones = dict[Point, int]


class SlowGo:
    """The rules once more, as they are written, on a board of any size."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.stones: Stones = {}
        self.seen = [self.stones]
        self.to_move = 0

    def near(self, point: Point) -> list[Point]:
        row, column = point
        around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        return [(r, c) for r, c in around if 0 <= r < self.size and 0 <= c < self.size]

    def group(self, stones: Stones, point: Point) -> set[Point]:
        """The points of the same colour (or empty) that are connected to `point`."""
        found, ahead = {point}, [point]
        while ahead:
            for other in self.near(ahead.pop()):
                if other not in found and stones.get(other) == stones.get(point):
                    found.add(other)
                    ahead.append(other)
        return found

    def is_dead(self, stones: Stones, point: Point) -> bool:
        return all(other in stones for at in self.group(stones, point) for other in self.near(at))

    def after(self, point: Point) -> Stones | None:
        """The stones after a legal stone, None for an illegal one."""
        if point in self.stones:
            return None
        stones = {**self.stones, point: self.to_move}
        for other in self.near(point):
            if stones.get(other) == 1 - self.to_move and self.is_dead(stones, other):
                for at in self.group(stones, other):
                    del stones[at]
        return None if self.is_dead(stones, point) or stones in self.seen else stones

    def legal(self) -> list[int]:
        points = range(self.size**2)
        return [at for at in points if self.after(divmod(at, self.size)) is not None] + [self.size**2]

    def play(self, action: int) -> None:
        if action < self.size**2:
            after = self.after(divmod(action, self.size))
            assert after is not None
            self.stones = after
        self.seen.append(self.stones)
        self.to_move = 1 - self.to_move

    def area(self) -> int:
        """Black's area less white's."""
        difference = 0
        for at in range(self.size**2):
            point = divmod(at, self.size)
            region = self.group(self.stones, point)
            colours = {self.stones.get(other) for inside in region for other in (inside, *self.near(inside))} - {None}
            owner = {self.stones[point]} if point in self.stones else colours
            difference += (owner == {0}) - (owner == {1})
        return difference


def compare(size: int, seed: int) -> int:
    """Play one random game by both, seldom passing; how many stones superko alone forbade."""
    rng = np.random.default_rng(seed)
    fast, slow, forbidden = Go(size=size, komi=0.5), SlowGo(size), 0
    while not fast.is_terminal:
        legal = fast.legal_actions()
        assert list(legal) == slow.legal(), fast.board_text()
        reasons = [fast.why_illegal(at) for at in range(size**2)]
        assert [at for at, reason in enumerate(reasons) if reason is None] == list(legal[:-1])
        forbidden += sum(reason is not None and reason.code == "superko" for reason in reasons)
        action = int(rng.choice(legal if rng.random() < 0.02 else legal[:-1] or legal))
        fast = fast.apply(action)
        slow.play(action)
        stones = {divmod(at, size): player for player in (0, 1) for at in fast.stones(player)}
        assert stones == slow.stones
        assert fast.to_move == slow.to_move
        assert fast.score() == slow.area() - 0.5
    return forbidden


@pytest.mark.parametrize(("size", "games"), [(2, 30), (3, 40), (4, 15), (5, 8), (9, 1)])
def test_random_games_go_as_by_the_slow_rules(size: int, games: int) -> None:
    forbidden = sum(compare(size, seed) for seed in range(games))
    # Small boards repeat often, so that superko is tried and not only suicide.
    assert forbidden > 0 or size == 9
