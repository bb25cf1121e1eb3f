"""A pickle is read as data: arrays, dicts, lists and numbers come out, and nothing that it names is looked up."""

from __future__ import annotations

import io
import pickle
import struct
import tracemalloc
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from torch_files import number, tensor, text, torch_zip

from azx.errors import CheckpointError
from azx.export.checkpoint.foreign import pickled
from azx.export.checkpoint.foreign.pickled import read_pickle
from azx.export.checkpoint.read import read_checkpoint

VALUES = {"a": [np.arange(6, dtype=np.float32).reshape(2, 3), np.float64(0.5)], "b": (1, -7, 2.5, None, True, "x")}


@pytest.mark.parametrize("protocol", range(6))
def test_arrays_in_dicts_and_lists_are_read_from_every_protocol(protocol: int) -> None:
    held = {**VALUES, "by column": np.asfortranarray(np.eye(3)), "ordered": OrderedDict(w=np.ones(2, ">i4"))}
    if protocol == 5:
        held.pop("by column")  # its bytes lie in a class of their own
    read = read_pickle(io.BytesIO(pickle.dumps(held, protocol)))
    assert read["b"] == list(VALUES["b"])
    assert read["a"][1] == 0.5
    np.testing.assert_array_equal(read["a"][0], VALUES["a"][0])
    np.testing.assert_array_equal(read["ordered"]["w"], [1, 1])
    if protocol < 5:
        np.testing.assert_array_equal(read["by column"], np.eye(3))


FUNCTIONS = [
    *("os system", "posix system", "subprocess Popen", "builtins eval", "builtins exec", "__builtin__ execfile"),
    *("builtins getattr", "builtins __import__", "pathlib Path.touch", "io open", "shutil rmtree", "runpy run_path"),
    *(
        "torch load",
        "torch.hub load",
        "torch._utils _rebuild_device_tensor_from_numpy",
        "torch.nn.modules.linear Linear",
    ),
    *("numpy load", "numpy.testing._private.utils runstring", "numpy.f2py.capi_maps eval", "numpy memmap"),
    *("_codecs decode", "collections namedtuple", "functools partial", "copyreg _reconstructor", "torch.storage _load"),
]


def calls(module: str, name: str) -> Iterator[bytes]:
    """The ways in which a pickle calls a function with the text `opened`, or makes an object of a class."""
    both, argument = f"c{module}\n{name}\n".encode(), text("opened")
    stacked = text(module) + text(name) + b"\x93"
    yield both + argument + b"\x85R"
    yield stacked + argument + b"\x85R"
    yield f"(i{module}\n{name}\n".encode()
    yield b"(" + argument + f"i{module}\n{name}\n".encode()
    yield b"(" + both + argument + b"o"
    yield both + b")\x81"
    yield both + b")}\x92"
    yield b"]" + both + argument + b"\x85Ra"


MOST = 2_000


def hostile() -> list[bytes]:
    """Over 200 pickles, each of which does something when Python's own `pickle` opens it, or never ends."""
    found = [b"\x80\x04" + call + b"." for each in FUNCTIONS for call in calls(*each.split(" "))]
    tensors = tensor("0", np.zeros((2, 2), np.float32))
    found += [
        b"\x80\x02}" + text("w") + b"cos\nsystem\n" + text("touch opened") + b"\x85Rs.",
        b"\x80\x02" + text("x") + text("storage") + b"\x85Q.",  # refers elsewhere
        b"\x80\x02\x82\x01.",  # an extension's code
        b"\x80\x02" + b"(" * 2 * MOST + b".",
        b"\x80\x02" + b"]" + b"2" * 2 * MOST + b".",
        b"\x80\x02]" + b"q\0(h\0e" + b".",  # a list in itself
        b"\x80\x02)" + b"2\x86" * 60 + b"}2Ns.",  # tuples of tuples as a key
        b"\x80\x02}(" + b")" + b"2\x86" * 60 + b"Nu.",
        b"\x80\x02\x8b" + struct.pack("<i", 1 << 20) + b"\x7f" * (1 << 20) + b".",  # a number of a mebibyte
        b"\x80\x02\x8b" + struct.pack("<i", 1 << 30) + b"\x7f.",
        b"\x80\x02B" + struct.pack("<I", (1 << 32) - 1) + b"x.",
        b"\x80\x04\x8e" + struct.pack("<Q", 1 << 60) + b"x.",
        b"\x80\x02h\x07.",
        b"\x80\x02R.",
        b"\x80\x02b.",
        b"\x80\x02N",
        b"\x80\x02NN.",
        b"\x80\x02cnumpy\ndtype\n" + text("O8") + b"\x85R.",
        b"\x80\x02cnumpy.core.multiarray\nscalar\ncnumpy\ndtype\n" + text("O") + b"\x85R" + text("x") + b"\x86R.",
        b"\x80\x02cnumpy.core.multiarray\n_reconstruct\ncos\nsystem\n)" + b"C\x01b\x87R.",
        b"\x80\x02cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\0\x85C\x01b\x87R.",
        tensors.replace(b"ctorch\nFloatStorage\n", b"cos\nsystem\n") + b".",
    ]
    return found


def test_two_hundred_hostile_pickles_are_refused_in_a_sentence_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pickled, "PICKLED", MOST)  # as many take a second
    pickles = hostile()
    assert len(pickles) >= 200
    path = tmp_path / "net.model"
    for data in pickles:
        for content in (data, torch_zip({}, data.removeprefix(b"\x80\x02").removesuffix(b"."))):
            path.write_bytes(content)
            with pytest.raises(CheckpointError) as error:
                read_checkpoint(path)
            said = str(error.value)
            assert said.count("\n") == 0
            assert len(said) < 1_600
            assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("claim", [b"B" + struct.pack("<I", (1 << 32) - 1), b"\x8e" + struct.pack("<Q", 1 << 40)])
def test_no_room_is_made_for_what_a_pickle_only_claims(claim: bytes, tmp_path: Path) -> None:
    path = tmp_path / "net.model"
    path.write_bytes(b"\x80\x04" + claim + b"x.")
    tracemalloc.start()
    with pytest.raises(CheckpointError):
        read_checkpoint(path)
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()


def strided(offset: int, shape: tuple[int, ...], steps: tuple[int, ...], count: int = 4) -> bytes:
    """A state_dict of one tensor that is such a view of a storage of four numbers, which claims `count`."""

    def listed(values: tuple[int, ...]) -> bytes:
        return b"(" + b"".join(map(number, values)) + b"t"

    storage = b"(" + text("storage") + b"ctorch\nFloatStorage\n" + text("0") + text("cpu") + number(count) + b"tQ"
    rest = number(offset) + listed(shape) + listed(steps) + b"\x89}"
    view: bytes = text("fc.weight") + b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + rest + b"tRs"
    return b"}" + view


@pytest.mark.parametrize(
    "opcodes",
    [
        strided(0, (5,), (1,)),
        strided(3, (2,), (1,)),
        strided(-1, (2,), (1,)),
        strided(0, (2, 2), (-1, 1)),
        strided(0, (1 << 30, 1 << 30), (0, 0)),
        strided(0, (2, 2), (2,)),
        strided(0, (4,), (1,), count=1 << 30),
        strided(0, (4,), (1,), count=-1),
    ],
)
def test_a_tensor_reaches_nowhere_beyond_its_numbers(opcodes: bytes, tmp_path: Path) -> None:
    path = tmp_path / "net.pt"
    path.write_bytes(torch_zip({"x": np.zeros(4, np.float32)}, opcodes))
    with pytest.raises(CheckpointError, match="is a PyTorch file that azx does not read"):
        read_checkpoint(path)


def test_a_shared_list_is_looked_at_once() -> None:
    """Forty lists, each of which holds the one before twice: as a tree a million million values."""
    data: Any = []
    for _ in range(40):
        data = [data, data]
    read = read_pickle(io.BytesIO(pickle.dumps(data)))
    assert read[0] is read[1]
