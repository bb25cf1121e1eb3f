"""Recognises networks in the formats of Go and chess engines by their first bytes: KataGo, Leela Zero, Lc0."""

from __future__ import annotations

import re

_OTHERWISE = (
    "whose format azx does not read: export the network as ONNX with that program's own tools "
    "(docs/other-frameworks.md)"
)
# A name, then the version, the planes and the global inputs, some settings since version 13, and the trunk.
_KATAGO = re.compile(rb"[!-~]{1,200}\s\d{1,3}\s\d{1,3}\s\d{1,3}\s[-+.\deE\s]{0,400}trunk\s")
# The fixed32 `magic` of its protobuf, field 1: 0x1c0.
_LC0 = re.compile(rb"\x0d\xc0\x01\x00\x00")
# The format's version, alone on the first line, then the first convolution's weights on one line.
_LEELA_ZERO = re.compile(rb"[12]\r?\n\s*[-+]?\d*\.?\d+(e[-+]?\d+)?[ \r\n]")

_ENGINES = {_KATAGO: "KataGo", _LC0: "Leela Chess Zero", _LEELA_ZERO: "Leela Zero"}


def engine_kind(head: bytes) -> str | None:
    """What a file that begins with `head` is and what to do, as a clause after "is"; None if it is not an engine's."""
    name = next((name for pattern, name in _ENGINES.items() if pattern.match(head)), None)
    return f"a network of {name}, {_OTHERWISE}" if name else None
