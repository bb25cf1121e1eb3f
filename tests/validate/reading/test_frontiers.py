"""In which order a network reads Go's 17 planes is asked of it, and where it does not tell it is not guessed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from numpy.typing import NDArray
from rings import few
from stand_ins import stand_in, untrained

from azx import inspect_checkpoint
from azx.errors import Undecided
from azx.export.checkpoint.read import read_checkpoint
from azx.games.game import Reading
from azx.games.known.catalogue import GAMES
from azx.games.known.recognition import read_as, recognise, ways
from azx.statement import Degree
from azx.validate.reading.probe import detect_encoding, without_detection
from azx.validate.reading.sign_test import Network
from azx.validate.witness.evaluate import evaluate

Boards = NDArray[np.float32]
SHIPPED = Path(__file__).parents[3] / "mobile_assets" / "checkpoints" / "go.h5"
# Where the reference network finds its planes among those of a network with the players' boards in turn.
IN_TURN = [*range(0, 16, 2), *range(1, 16, 2), 16]
NAMES = ["go-mover-first", "go-interleaved", "go-mover-first-white", "go-interleaved-white"]


def go(size: int = 9) -> Reading:
    found = recognise([(size, size, 17)], size * size + 1)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def trained() -> Network:
    graph = read_checkpoint(SHIPPED)

    def answers(boards: Boards) -> dict[str, NDArray[Any]]:
        found = evaluate(graph, {"main_input": boards})
        return {"value": found["value_head"], "policy": found["policy_head"]}

    return answers


def shown(trained: Network, change: Callable[[Boards], Boards]) -> Network:
    """A network whose boards are changed before the trained one sees them."""
    return lambda boards: trained(change(np.array(boards)))


def whites(boards: Boards) -> Boards:
    boards[..., 16] = 1 - boards[..., 16]
    return boards


def by_colour(boards: Boards) -> Boards:
    """From black's boards and then white's, whoever is to move."""
    black = boards[:, 0, 0, 16] == 1
    boards[~black] = boards[~black][..., [*range(8, 16), *range(8), 16]]
    return boards


def oldest_first(boards: Boards) -> Boards:
    return boards[..., [*range(7, -1, -1), *range(15, 7, -1), 16]]


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("go-mover-first", lambda boards: boards),
        ("go-interleaved", lambda boards: boards[..., IN_TURN]),
        ("go-mover-first-white", whites),
        ("go-interleaved-white", lambda boards: whites(boards[..., IN_TURN])),
    ],
)
def test_a_trained_network_tells_its_order_at_the_first_look(
    name: str, change: Callable[[Boards], Boards], trained: Network
) -> None:
    found = detect_encoding(go(), shown(trained, change))
    wanted = next(reading for way, reading in ways(go()).items() if way.name == name)
    assert found == wanted
    assert found.statement is not None
    assert found.statement.degree is Degree.SHOWN
    assert found.statement.figures.startswith("of 20 pairs of boards with a plain leader its value finds ")
    assert "100% with " in found.statement.figures


@pytest.mark.parametrize("change", [by_colour, oldest_first])
def test_a_network_of_yet_another_order_is_taken_for_none(change: Callable[[Boards], Boards], trained: Network) -> None:
    with pytest.raises(Undecided, match="the order of its planes is not known: say --encoding "):
        detect_encoding(go(), shown(trained, change))


def test_a_network_that_does_not_mind_the_last_plane_tells_the_order_alone(trained: Network) -> None:
    def always_black(boards: Boards) -> Boards:
        boards[..., 16] = 1
        return boards[..., IN_TURN]

    with pytest.raises(Undecided, match="say --encoding go-interleaved or go-interleaved-white") as caught:
        detect_encoding(go(), shown(trained, always_black))
    assert caught.value.figures.endswith("but not whose turn its last plane shows")


@pytest.mark.parametrize("strength", few([0.0, 0.03, 1.0]))
def test_an_untrained_network_is_taken_for_none(strength: float) -> None:
    rng = np.random.default_rng(int(100 * strength))
    for _ in range(15):
        weights, liking = rng.normal(size=(1377, 83)) * strength, rng.normal(size=83)

        def answers(boards: Boards, w: Any = weights, b: Any = liking) -> dict[str, NDArray[Any]]:
            flat = boards.reshape(len(boards), -1) @ w + b
            return {"policy": flat[:, :82], "value": np.tanh(flat[:, 82:])}

        with pytest.raises(Undecided):
            detect_encoding(go(), answers)


def test_a_policy_alone_cannot_tell_whose_stones_are_whose(trained: Network) -> None:
    with pytest.raises(Undecided, match="say --encoding " + " or ".join(NAMES[:2])) as caught:
        detect_encoding(go(), trained, {"policy": 82})
    assert caught.value.figures == "it has no value of one number to ask"
    with pytest.raises(Undecided) as caught:
        without_detection(go(13), "the float64 witness cannot be asked")
    assert caught.value.figures == "the float64 witness cannot be asked"


def test_one_plane_of_a_board_has_no_order() -> None:
    from azx.games.known.recognition import by_name, read_as

    assert ways(read_as(by_name("go"), [(9, 9)], 82)) == {}


def test_the_shipped_network_is_read_as_it_was() -> None:
    found = inspect_checkpoint(SHIPPED)
    assert (found.game, found.settings, found.actions) == ("go", {"size": 9}, "point")
    assert found.encoding == go().encoding.as_data()
    assert found.statements[-1].line == "Certain: the network that azx ships."


def test_a_checkpoint_with_the_boards_in_turn_is_read_so(tmp_path: Path) -> None:
    """The shipped network, its first kernel's planes exchanged, is one that reads AlphaGo Zero's order."""
    file = tmp_path / "stranger.h5"
    file.write_bytes(SHIPPED.read_bytes())
    with h5py.File(file, "r+") as opened:
        kernels: list[h5py.Dataset] = []
        opened.visititems(lambda _, item: kernels.append(item) if getattr(item, "shape", ())[2:3] == (17,) else None)
        for kernel in kernels:
            kernel[...] = kernel[...][:, :, np.argsort(IN_TURN)]
    assert len(kernels) >= 1
    found = inspect_checkpoint(file)
    assert found.encoding is not None
    assert found.encoding["planes"][:4] == ["mover", "opponent", "mover@1", "opponent@1"]
    assert found.encoding["planes"][-1] == "player0_to_move"


@pytest.mark.parametrize("name", few(NAMES))
def test_a_board_of_19_has_its_own_frontiers(name: str) -> None:
    usual = go(19)
    truth = next(reading for way, reading in ways(usual).items() if way.name == name)
    found = detect_encoding(usual, stand_in(truth, 1, 5), {"policy": 362, "value": 1})
    assert found.encoding == truth.encoding
    assert found.statement is not None
    assert found.statement.degree is Degree.SHOWN


@pytest.mark.parametrize("shape", [(9, 9), (19, 19, 2), (2, 13, 13)])
def test_of_one_or_two_planes_it_is_said_what_the_value_makes_of_them(shape: tuple[int, ...]) -> None:
    size = shape[-1] if shape[0] == 2 else shape[0]
    usual = read_as(GAMES["go"], [shape], size * size + 1)
    sees, widths = stand_in(usual, 1, 6), {"policy": size * size + 1, "value": 1}

    def said(network: Network) -> str:
        statement = detect_encoding(usual, network, widths).statement
        assert statement is not None
        assert (statement.degree, statement.instead) == (Degree.ASSUMED, "azx describe")
        return statement.line_with_figures

    assert "it plays well in it, and perhaps in others" in said(sees)
    assert "of 60 pairs of boards with a plain leader its value finds" in said(sees)
    assert "the value prefers who is behind" in said(lambda boards: {**sees(boards), "value": -sees(boards)["value"]})
    assert "nothing shows it" in said(untrained(int(np.prod(shape)), widths, 1))
