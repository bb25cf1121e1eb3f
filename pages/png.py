"""Reads and writes PNG pictures without an image library.

A picture is uint8 (height, width, 4): red, green, blue and opacity.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import AzxError

Picture = NDArray[np.uint8]
SIGNATURE = b"\x89PNG\r\n\x1a\n"
# The largest width or height; more would take more memory than an icon is worth.
MOST_PIXELS = 4096
MOST_BYTES = 16 * 2**20
# The numbers per pixel by the kind of colours: grey, colour, palette, grey with alpha, colour with alpha.
_NUMBERS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}


def read_png(path: Path) -> Picture:
    """The picture in a PNG file; AzxError, which says what to do, if it is not a PNG or has an unsupported form."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise AzxError(f"'{path}' cannot be read ({error.strerror or error}): give a PNG file.") from error
    if not data.startswith(SIGNATURE):
        raise AzxError(f"'{path}' is not a PNG file: convert the picture to PNG first.")
    if len(data) > MOST_BYTES:
        raise AzxError(f"'{path}' is larger than {MOST_BYTES // 2**20} MB: make the picture smaller.")
    try:
        return _decode(data)
    except (ValueError, IndexError, struct.error, zlib.error) as error:
        reason = str(error) if type(error) is ValueError else "it is damaged"
        raise AzxError(f"'{path}' cannot be read as a PNG ({reason}): save the picture again, as a PNG.") from error


def _decode(data: bytes) -> Picture:
    head, palette, alphas, packed = b"", b"", b"", []
    for kind, body in _chunks(data):
        if kind == b"IHDR":
            head = body
        elif kind == b"PLTE":
            palette = body
        elif kind == b"tRNS":
            alphas = body
        elif kind == b"IDAT":
            packed.append(body)
    width, height, depth, colours, _, _, interlaced = struct.unpack(">IIBBBBB", head)
    if not (0 < width <= MOST_PIXELS and 0 < height <= MOST_PIXELS):
        raise ValueError(f"it is {width} by {height} pixels, at most {MOST_PIXELS} by {MOST_PIXELS} are read")
    if interlaced:
        raise ValueError("its rows are interlaced")
    if depth not in _DEPTHS.get(colours, ()):
        raise ValueError("its colours are of an unknown kind")
    bits = depth * _NUMBERS[colours]
    stride, step = -(-width * bits // 8), max(1, bits // 8)
    length = height * (stride + 1)
    raw = zlib.decompressobj().decompress(b"".join(packed), length)
    if len(raw) != length:
        raise ValueError("it is damaged")
    rows = _unfilter(np.frombuffer(raw, np.uint8).reshape(height, stride + 1), step)
    return _colour(_spread(rows, width * _NUMBERS[colours], depth), width, colours, depth, palette, alphas)


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(SIGNATURE)
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        if len(body) != length or struct.unpack_from(">I", data, at + 8 + length)[0] != zlib.crc32(kind + body):
            raise ValueError("it is damaged")
        if kind == b"IEND":
            return
        yield kind, body
        at += 12 + length
    raise ValueError("it is damaged")


def _unfilter(lines: NDArray[np.uint8], step: int) -> NDArray[np.uint8]:
    """Rows of bytes, from rows of differences to their neighbours."""
    height, stride = lines.shape[0], lines.shape[1] - 1
    made = np.zeros((height + 1, stride + step), np.uint8)
    for row in range(height):
        kind, line = int(lines[row, 0]), lines[row, 1:]
        now, above = made[row + 1, step:], made[row, step:]
        if kind == 0:
            now[:] = line
        elif kind == 1:
            for first in range(step):
                now[first::step] = np.cumsum(line[first::step], dtype=np.uint8)
        elif kind == 2:
            now[:] = line + above
        elif kind in (3, 4):
            _predict(kind, line, made[row], made[row + 1], step)
        else:
            raise ValueError("it is damaged")
    return made[1:, step:]


def _predict(kind: int, line: NDArray[np.uint8], above: NDArray[np.uint8], now: NDArray[np.uint8], step: int) -> None:
    """Fill `now` byte by byte; each byte is predicted from its left, upper and upper left neighbour."""
    over, made = above.tolist(), now.tolist()
    for at, byte in enumerate(line.tolist()):
        left, up, corner = made[at], over[at + step], over[at]
        if kind == 3:
            guess = (left + up) // 2
        else:
            rough = left + up - corner
            by = abs(rough - left), abs(rough - up), abs(rough - corner)
            guess = (left, up, corner)[by.index(min(by))]
        made[at + step] = (byte + guess) & 255
    now[:] = made


def _spread(rows: NDArray[np.uint8], count: int, depth: int) -> NDArray[np.uint8]:
    """One byte for each number in a row: the upper byte of two, or a part of a shared byte, unscaled."""
    if depth == 16:
        return rows[:, ::2]
    if depth == 8:
        return rows
    bits = np.unpackbits(rows, axis=1)[:, : count * depth].reshape(len(rows), count, depth)
    return np.asarray(np.packbits(bits, axis=2)[:, :, 0] >> (8 - depth), np.uint8)


def _colour(numbers: NDArray[np.uint8], width: int, colours: int, depth: int, palette: bytes, alphas: bytes) -> Picture:
    made = np.full((len(numbers), width, 4), 255, np.uint8)
    if colours == 3:
        table = np.frombuffer(palette, np.uint8).reshape(-1, 3)
        opaque = np.full(len(table), 255, np.uint8)
        opaque[: len(alphas)] = np.frombuffer(alphas, np.uint8)[: len(table)]
        made[:, :, :3], made[:, :, 3] = table[numbers], opaque[numbers]
        return made
    pixels = numbers.reshape(len(numbers), width, _NUMBERS[colours])
    if colours in (0, 4):
        made[:, :, :3] = pixels[:, :, :1] * (255 // (2**depth - 1) if depth < 8 else 1)
    else:
        made[:, :, :3] = pixels[:, :, :3]
    if colours in (4, 6):
        made[:, :, 3] = pixels[:, :, -1]
    elif alphas and depth <= 8:
        # One colour that is fully transparent.
        clear = np.frombuffer(alphas, ">u2").astype(np.uint8)
        made[np.all(pixels == clear, axis=2), 3] = 0
    return made


def write_png(picture: Picture) -> bytes:
    """The bytes of a PNG of this picture; equal pictures give equal bytes.

    An opaque picture is written without alpha.
    """
    height, width = picture.shape[:2]
    numbers = 4 if (picture[:, :, 3] != 255).any() else 3
    lines = picture[:, :, :numbers].reshape(height, width * numbers)
    # Each row is stored as its difference from the row above: drawings have many equal rows.
    rows = np.diff(lines, axis=0, prepend=np.zeros((1, width * numbers), np.uint8))
    raw = np.concatenate([np.full((height, 1), 2, np.uint8), rows], axis=1).tobytes()
    head = struct.pack(">IIBBBBB", width, height, 8, 6 if numbers == 4 else 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(raw, 9)), (b"IEND", b""))
    packed = (
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in parts
    )
    return SIGNATURE + b"".join(packed)


def resize(picture: Picture, size: int) -> Picture:
    """The picture as a square of `size` pixels; if it is not square, its edges become transparent."""
    height, width = picture.shape[:2]
    side = max(height, width)
    square = np.zeros((side, side, 4), np.uint8)
    top, left = (side - height) // 2, (side - width) // 2
    square[top : top + height, left : left + width] = picture
    # A pixel's colour counts by its opacity, so that transparent pixels leave no dark seam.
    numbers = square.astype(np.float64)
    numbers[:, :, :3] *= numbers[:, :, 3:] / 255
    weights = _weights(side, size)
    small = np.einsum("ij,jkc->ikc", weights, np.einsum("ij,kjc->kic", weights, numbers))
    opaque = np.maximum(small[:, :, 3:], 1e-9)
    small[:, :, :3] *= 255 / opaque
    return np.asarray(np.clip(np.rint(small), 0, 255), np.uint8)


def _weights(old: int, new: int) -> NDArray[np.float64]:
    """The share of each of `old` pixels in each of `new`: areas if smaller, else interpolation between two."""
    if new >= old:
        places = np.clip((np.arange(new) + 0.5) * old / new - 0.5, 0, old - 1)
        return np.asarray(np.maximum(0, 1 - np.abs(places[:, None] - np.arange(old)[None, :])), np.float64)
    edges = np.arange(new + 1) * old / new
    first, last = edges[:-1, None], edges[1:, None]
    at = np.arange(old)[None, :]
    shared = np.clip(np.minimum(last, at + 1) - np.maximum(first, at), 0, None)
    return np.asarray(shared / shared.sum(axis=1, keepdims=True), np.float64)


def on_ground(picture: Picture, ground: tuple[int, int, int]) -> Picture:
    """The picture on a plain ground; no pixel stays transparent."""
    alpha = picture[:, :, 3:].astype(np.float64) / 255
    made = np.full(picture.shape, 255, np.uint8)
    made[:, :, :3] = np.rint(picture[:, :, :3] * alpha + np.array(ground) * (1 - alpha))
    return made
