"""Pictures in PNG, read and written without a library, against Pillow; boards as pictures."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from azx.errors import AzxError
from azx.games.known.catalogue import GAMES
from azx.games.known.recognition import by_name
from azx.pages.board_picture import draw_board
from azx.pages.png import SIGNATURE, on_ground, read_png, resize, write_png

# Kinds of pictures by Pillow's names.
MODES = ("1", "L", "LA", "P", "RGB", "RGBA")


def noise(height: int = 23, width: int = 31) -> np.ndarray:
    made = np.random.default_rng(7).integers(0, 256, (height, width, 4), np.uint8)
    # What changes slowly is filtered in other ways than noise.
    made[:, : width // 2] = np.arange(height, dtype=np.uint8)[:, None, None] * 3
    return made


@pytest.mark.parametrize("mode", MODES)
def test_a_png_of_each_kind_is_read_as_pillow_reads_it(mode: str, tmp_path: Path) -> None:
    picture = Image.fromarray(noise()).convert(mode)
    picture.save(tmp_path / "icon.png")
    assert np.array_equal(read_png(tmp_path / "icon.png"), np.asarray(picture.convert("RGBA")))


def test_a_palette_with_clear_colours_is_read(tmp_path: Path) -> None:
    picture = Image.fromarray(noise()).convert("RGB").quantize(5)
    picture.save(tmp_path / "icon.png", transparency=2, bits=4)
    with Image.open(tmp_path / "icon.png") as saved:
        assert np.array_equal(read_png(tmp_path / "icon.png"), np.asarray(saved.convert("RGBA")))


@pytest.mark.parametrize("opaque", [True, False])
def test_what_is_written_is_read_by_pillow(opaque: bool) -> None:
    picture = noise()
    if opaque:
        picture[:, :, 3] = 255
    with Image.open(io.BytesIO(write_png(picture))) as read:
        assert read.mode == ("RGB" if opaque else "RGBA")
        assert np.array_equal(np.asarray(read.convert("RGBA")), picture)


def test_a_damaged_png_is_refused_in_a_sentence(tmp_path: Path) -> None:
    whole = write_png(noise())
    path = tmp_path / "icon.png"
    spoilt = [whole[:40], whole[:60] + b"\0" + whole[61:], SIGNATURE, whole[:-20], b"", b"GIF89a"]
    for data in spoilt:
        path.write_bytes(data)
        with pytest.raises(AzxError, match=r"icon\.png"):
            read_png(path)


def test_a_picture_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "icon.png"
    path.write_bytes(write_png(np.zeros((1, 5000, 4), np.uint8)))
    with pytest.raises(AzxError, match="at most 4096 by 4096"):
        read_png(path)


def test_clear_pixels_leave_no_seam_when_a_picture_is_made_smaller() -> None:
    picture = np.zeros((64, 64, 4), np.uint8)
    picture[:, :33] = (255, 0, 0, 255)
    small = resize(picture, 16)
    seen = small[small[:, :, 3] > 0]
    assert (seen[:, :3] == (255, 0, 0)).all()
    assert resize(picture, 256).shape == (256, 256, 4)
    assert resize(picture[:, :32], 16)[0, 0, 3] == 0
    assert (on_ground(small, (0, 0, 255))[:, :, 3] == 255).all()


@pytest.mark.parametrize("name", list(GAMES))
def test_a_move_is_seen_in_the_picture_of_every_game(name: str) -> None:
    start = by_name(name).begin()
    moved = start.apply(start.legal_actions()[0])
    one, other = (draw_board(state, 120, 63, (255, 255, 255)) for state in (start, moved))
    assert one.shape == (63, 120, 4)
    assert (one != other).any()
