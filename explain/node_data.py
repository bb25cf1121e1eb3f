"""The findings on an artifact as node data for Model Explorer, which colours its graph by them.

    {"results": {tensor: {"value": x}}, "thresholds": [{"value": 1, "bgColor": ...}, ...]}

A node is named by a tensor that it makes. Its value is the layer's own error divided by its band; up to 1 is in the
band.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from .artifact import ArtifactExplanation

# Upper ends of the ranges: well inside the band, inside, outside, far outside.
COLOURS = ((0.5, "#d5e8d4"), (1.0, "#fff2cc"), (10.0, "#f8cecc"), (float(np.finfo(np.float32).max), "#e06666"))


def node_data(explanation: ArtifactExplanation) -> dict[str, Any]:
    """The node data of one artifact; a tensor with values that are not numbers gets float32's largest value."""
    most = COLOURS[-1][0]
    results = {each.step.tensor: {"value": min(each.step.own / each.band, most)} for each in explanation.steps}
    return {"results": results, "thresholds": [{"value": value, "bgColor": colour} for value, colour in COLOURS]}


def text(explanation: ArtifactExplanation) -> str:
    """The node data of one artifact as the text of a file."""
    return json.dumps(node_data(explanation), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
