"""`python apps/ios/tools/icon.py`: draw the web app's icon.svg as the 1024 pixels, without alpha, that Xcode asks for.

The drawing has circles on a background. Each system cuts icons to its own shape, so the background fills the corners.
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

APPS = Path(__file__).resolve().parents[2]
DRAWING = APPS / "web" / "public" / "icon.svg"
ICON = APPS / "ios" / "App" / "Assets.xcassets" / "AppIcon.appiconset" / "icon.png"
SIZE = 1024
# Each pixel is the mean of a square of points with this many on a side.
SAMPLES = 4


def color(text: str) -> np.ndarray:
    """The three bytes of #rrggbb."""
    return np.frombuffer(bytes.fromhex(text.removeprefix("#")), np.uint8).astype(np.float64)


def pixels(drawing: Path) -> np.ndarray:
    """The drawing's pixels, (SIZE, SIZE, 3) bytes."""
    root = ElementTree.parse(drawing).getroot()
    width = float(root.attrib["viewBox"].split()[2])
    ground = root.find("{*}rect")
    assert ground is not None
    places = (np.arange(SIZE * SAMPLES) + 0.5) * width / (SIZE * SAMPLES)
    image = np.broadcast_to(color(ground.attrib["fill"]), (SIZE, SIZE, 3)).copy()
    for circle in root.iterfind(".//{*}circle"):
        x, y, radius = (float(circle.attrib[name]) for name in ("cx", "cy", "r"))
        inside = (places - x)[None, :] ** 2 + (places - y)[:, None] ** 2 <= radius**2
        share = inside.reshape(SIZE, SAMPLES, SIZE, SAMPLES).mean(axis=(1, 3))[..., None]
        image = image * (1 - share) + color(circle.attrib["fill"]) * share
    return image.round().astype(np.uint8)


def png(image: np.ndarray) -> bytes:
    """A PNG of 8 bits a channel, RGB."""
    height, width, _ = image.shape
    # Every row begins with its filter: none.
    rows = b"".join(b"\0" + row.tobytes() for row in image)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")]
    chunks = [struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


if __name__ == "__main__":
    ICON.write_bytes(png(pixels(DRAWING)))
