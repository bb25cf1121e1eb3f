"""The order of layers that a file of weights numbers."""

from __future__ import annotations

from azx.export.checkpoint.stored import numbered_key


def test_layers_have_the_order_of_their_numbers_whatever_a_file_writes() -> None:
    names = ["conv2d", "conv2d_2", "conv2d_10", "conv2d_" + "9" * 5000, "conv2d_\u0663"]
    mixed = [names[at] for at in (3, 0, 4, 2, 1)]
    assert sorted(mixed, key=numbered_key) == names
    assert sorted(["a/b_2", "a_2/b", "a/b_10"], key=numbered_key) == ["a/b_2", "a/b_10", "a_2/b"]
