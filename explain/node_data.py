"""What was found of an artifact as node data of Model Explorer, which colours its graph by it.

    {"results": {tensor: {"value": x}}, "thresholds": [{"value": 1, "bgColor": ...}, ...]}

A node goes by the name of a tensor that it makes. Its value is the layer's own error over its band: up to 1 lies in it.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from .artifact import Explained

# Upper ends of the ranges: well in the band, in it, out of it, far out of it.
COLOURS = ((0.5, "#d5e8d4"), (1.0, "#fff2cc"), (10.0, "#f8cecc"), (float(np.finfo(np.float32).max), "#e06666"))


def node_data(found: Explained) -> dict[str, Any]:
    """The node data of one artifact; a tensor that holds no numbers has the largest value that float32 has."""
    most = COLOURS[-1][0]
    results = {each.step.tensor: {"value": min(each.step.own / each.band, most)} for each in found.steps}
    return {"results": results, "thresholds": [{"value": value, "bgColor": colour} for value, colour in COLOURS]}


def text(found: Explained) -> str:
    """The same as the text of a file."""
    return json.dumps(node_data(found), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
