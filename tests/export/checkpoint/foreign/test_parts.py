"""A network in three files is one checkpoint, whichever of them is given: SuperGo's shape."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from torch_files import torch_zip
from torch_layers import convolve, drawn, linear, norm, relu

from azx.bundle.case.detection import game_of
from azx.errors import CheckpointError, NoArchitecture
from azx.export.checkpoint.foreign.beside import checkpoint_digest, files_beside
from azx.export.checkpoint.read import read_checkpoint
from azx.export.graph.freeze import heads_of
from azx.export.network.simplify import shapes
from azx.sweeps.sources import find
from azx.sweeps.watch.files import checkpoints_in
from azx.validate.witness.evaluate import evaluate

Values = NDArray[Any]
PARTS = ("extractor", "policy_net", "value_net")
random = np.random.default_rng(5)


def network(side: int = 5, channels: int = 6, blocks: int = 2, planes: int = 17) -> dict[str, dict[str, Values]]:
    """SuperGo's weights by the name of their file; its 3x3 convolutions have no bias."""
    convs = {"conv1": (channels, planes, 3, 3)}
    convs |= {f"res{at}.conv{each}": (channels, channels, 3, 3) for at in range(blocks) for each in (1, 2)}
    layers: dict[str, tuple[int, ...]] = {}
    for name, shape in convs.items():
        layers |= {name: shape, name.replace("conv", "bn"): (channels,)}
    trunk = {name: each for name, each in drawn(layers).items() if not name.endswith(("conv1.bias", "conv2.bias"))}
    head: dict[str, tuple[int, ...]] = {"conv": (1, channels, 1, 1), "bn": (1,)}
    policy = drawn({**head, "fc": (side * side + 1, side * side)})
    return dict(zip(PARTS, (trunk, policy, drawn({**head, "fc1": (32, side * side), "fc2": (1, 32)})), strict=True))


def run(net: dict[str, dict[str, Values]], boards: Values) -> tuple[Values, Values]:
    """Player.predict of SuperGo: policy and value."""
    trunk, policy, value = ({name: each.astype(np.float64) for name, each in part.items()} for part in net.values())
    trunk |= {f"{name.removesuffix('.weight')}.bias": np.zeros(1) for name in list(trunk) if trunk[name].ndim == 4}
    x = relu(norm(convolve(boards, trunk, "conv1", 1), trunk, "bn1"))
    for at in range(sum(name.endswith("conv1.weight") for name in trunk) - 1):
        block = f"res{at}"
        inner = relu(norm(convolve(x, trunk, f"{block}.conv1", 1), trunk, f"{block}.bn1"))
        x = relu(norm(convolve(inner, trunk, f"{block}.conv2", 1), trunk, f"{block}.bn2") + x)

    def flat(head: dict[str, Values]) -> Values:
        return np.asarray(relu(norm(convolve(x, head, "conv", 0), head, "bn")).reshape(len(x), -1))

    logits = linear(flat(policy), policy, "fc")
    chances = np.exp(logits - logits.max(axis=1, keepdims=True))
    worth = np.tanh(linear(relu(linear(flat(value), value, "fc1")), value, "fc2"))
    return chances / chances.sum(axis=1, keepdims=True), worth


def lay(folder: Path, net: dict[str, dict[str, Values]], start: str = "10-") -> list[Path]:
    folder.mkdir(exist_ok=True)
    paths = [folder / f"{start}{part}.pth.tar" for part in PARTS]
    for path, weights in zip(paths, net.values(), strict=True):
        path.write_bytes(torch_zip(weights))
    return paths


def test_each_of_three_files_and_their_folder_are_the_network(tmp_path: Path) -> None:
    net = network()
    paths = lay(tmp_path / "net", net)
    boards = random.integers(0, 2, size=(12, 17, 5, 5)).astype(np.float64)
    policy, value = run(net, boards)
    digests = set()
    for path in (*paths, tmp_path / "net"):
        graph = read_checkpoint(path)
        assert (graph.source.preset, graph.inputs[0].shape) == ("supergo", (17, 5, 5))
        answers = evaluate(graph, {"board": boards})
        named = {head.tensor: head.source_name for head in graph.outputs}
        by_name = {named.get(name, name).split(".")[0]: each for name, each in answers.items()}
        np.testing.assert_allclose(by_name["policy_net"], policy, atol=1e-9)
        np.testing.assert_allclose(by_name["value_net"], value, atol=1e-9)
        digests.add(graph.source.sha256)
    assert digests == {checkpoint_digest(path) for path in paths}
    assert len(digests) == 1
    lay(tmp_path / "net", {**net, "value_net": {**net["value_net"], "fc2.bias": np.full(1, 3, np.float32)}})
    assert checkpoint_digest(paths[0]) not in digests


def test_one_file_with_all_three_is_the_network_too(tmp_path: Path) -> None:
    net = network()
    joined = {f"{part}.{name}": each for part, weights in net.items() for name, each in weights.items()}
    (tmp_path / "all.pt").write_bytes(torch_zip(joined))
    assert read_checkpoint(tmp_path / "all.pt").source.preset == "supergo"


def test_a_sweep_and_a_watch_take_three_files_for_one_checkpoint(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    for start in ("9-", "10-"):
        lay(folder, network(), start)
    expected = [folder / "9-extractor.pth.tar", folder / "10-extractor.pth.tar"]
    assert [item.checkpoint for item in find([folder])] == expected
    assert sorted(checkpoints_in(folder)) == sorted(expected)
    assert [each.name for each in files_beside(expected[1])] == ["10-policy_net.pth.tar", "10-value_net.pth.tar"]
    with pytest.raises(CheckpointError, match=r"2 checkpoints \(10-extractor\.pth\.tar, 9-extractor\.pth\.tar\)"):
        read_checkpoint(folder)


def test_a_part_alone_says_what_is_missing(tmp_path: Path) -> None:
    extractor, policy, value = lay(tmp_path / "net", network())
    value.unlink()
    for preset in (None, "supergo"):
        with pytest.raises(NoArchitecture, match=r"the extractor of a network alone: put 10-value_net\.pth\.tar besi"):
            read_checkpoint(extractor, preset=preset)
    with pytest.raises(NoArchitecture, match="no family"):
        read_checkpoint(policy)


@pytest.mark.parametrize(
    ("part", "name", "shape", "said"),
    [
        ("extractor", "res1.conv2.weight", (6, 6, 5, 5), r"'extractor\.res1\.conv2' .* shape \(3, 3, 6, 6\)"),
        ("policy_net", "fc.weight", (26, 16), r"'value_net\.fc1' .* do not take the same board"),
        ("value_net", "fc2.weight", (2, 32), r"'value_net\.fc2' .* of shape \(32, 1\)"),
        ("value_net", "fc3.weight", (1, 1), "its value_net is not a convolution, a batch norm and 2 dense"),
    ],
)
def test_what_does_not_fit_is_named(part: str, name: str, shape: tuple[int, ...], said: str, tmp_path: Path) -> None:
    net = network()
    net[part][name] = np.ones(shape, np.float32)
    paths = lay(tmp_path / "net", net)
    with pytest.raises(CheckpointError, match=said):
        read_checkpoint(paths[0], preset="supergo")


def test_how_it_sees_its_board_is_not_claimed(tmp_path: Path) -> None:
    """Its planes are of each player's own moves, so that none of Go's readings is its own."""
    lay(tmp_path / "net", network())
    graph = read_checkpoint(tmp_path / "net")
    known = shapes(graph)
    told = game_of(graph, heads_of(graph, [known[head.tensor] for head in graph.outputs]), None)
    assert told.reading is None
    assert "for which azx has no planes" in str(told.note)
