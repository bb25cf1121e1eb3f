"""How networks show the pieces: the known planes for each number of planes, and each plane in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations, product

from ..encoding import EMPTY, LAST, MIXED, MOVER, OPPONENT, PLAYER0, PLAYER1, say_mixed

# Words for a player, in names and phrases.
PLAYERS = {
    MOVER: "the player to move",
    OPPONENT: "the opponent",
    PLAYER0: "the player who began",
    PLAYER1: "the player who came second",
}
PAIRS = ((MOVER, OPPONENT), (OPPONENT, MOVER), (PLAYER0, PLAYER1), (PLAYER1, PLAYER0))
# Planes with one number everywhere that say who is to move.
TURNS = {
    "player0_to_move": "ones if the player who began is to move",
    "player1_to_move": "ones if the player who came second is to move",
    "turn_player0": "+1 if the player who began is to move, otherwise -1",
    "turn_player1": "-1 if the player who began is to move, otherwise +1",
}
# Two numbers, one of them 1; its place shows who is to move.
TURN_PAIRS = (("player0_to_move", "player1_to_move"), ("player1_to_move", "player0_to_move"))
_OTHERS = {"ones": "ones", "zeros": "zeros", EMPTY: "the empty cells", LAST: "the last move"}


def piece_planes(count: int) -> tuple[tuple[str, ...], ...]:
    """The known ways in which `count` planes, 1 to 4 or 9, show a board, the most usual first; else empty."""
    return tuple(_WAYS[count]()) if count in _WAYS else ()


def is_of_the_mover(planes: Sequence[str]) -> bool:
    """Whether the planes show the mover and the opponent, and not who began."""
    return not any("player" in name for name in planes)


def while_who_began_moves(planes: Sequence[str]) -> tuple[str, ...]:
    """The planes' names while the player who began is to move: "player0" is then "mover", "player1" "opponent"."""
    of_the_mover = {PLAYER0: MOVER, PLAYER1: OPPONENT}

    def shown(name: str) -> str:
        if name not in MIXED:
            return of_the_mover.get(name, name)
        first, second, *numbers = MIXED[name]
        as_well = (of_the_mover.get(first, first), of_the_mover.get(second, second), *numbers)
        return next(other for other, mixed in MIXED.items() if mixed == as_well)

    return tuple(map(shown, planes))


def say_planes(planes: Sequence[str]) -> str:
    """The planes in plain words: "+1 the player to move, -1 the opponent"."""
    if len(planes) == 1 and planes[0] in MIXED:
        return say_plane(planes[0])
    return f"planes of {', of '.join(map(say_plane, planes))}"


def say_beside(planes: Sequence[str]) -> str:
    """What a second input says of who is to move, in plain words."""
    return ", then ".join(TURNS.get(name, name).replace("ones if", "1 if") for name in planes)


def say_plane(name: str) -> str:
    """One plane in plain words."""
    if name in MIXED:
        return say_mixed(name, PLAYERS)
    who, at, ago = name.partition("@")
    if who in PLAYERS:
        return f"{PLAYERS[who]}{f' {ago} plies ago' if at else ''}"
    return TURNS.get(name) or _OTHERS.get(name) or name


def _single() -> Iterator[tuple[str, ...]]:
    yield from ((name,) for name in MIXED)


def _double() -> Iterator[tuple[str, ...]]:
    yield from PAIRS
    yield from product(("signed", "signed_player0", "signed_player1"), TURNS)


def _triple() -> Iterator[tuple[str, ...]]:
    yield from ((*pair, turn) for pair, turn in product(PAIRS, TURNS))
    yield (MOVER, OPPONENT, "ones")
    yield from ((*pair, EMPTY) for pair in PAIRS)
    # One-hot codes of three planes may have the empty cells' plane at any place.
    for first, second in (PAIRS[0], PAIRS[2]):
        yield from (order for order in permutations((first, second, EMPTY)) if order[-1] != EMPTY)


def _quadruple() -> Iterator[tuple[str, ...]]:
    yield from ((*pair, LAST, turn) for pair, turn in product(PAIRS, TURNS))


def _history() -> Iterator[tuple[str, ...]]:
    """Both players' boards, now and three plies back, grouped by player or alternating, then whose turn it is."""
    ago = ("", "@1", "@2", "@3")
    for (first, second), turn in product(PAIRS[:2], TURNS):
        yield (*(first + at for at in ago), *(second + at for at in ago), turn)
        yield (*(player + at for at in ago for player in (first, second)), turn)


_WAYS = {1: _single, 2: _double, 3: _triple, 4: _quadruple, 9: _history}
