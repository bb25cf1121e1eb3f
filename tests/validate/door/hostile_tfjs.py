"""TF.js models made hostile, one change each: their names, and how each is made of a sound model."""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

EVIL = "evil"
Change = Callable[[Any], None]


def edit(source: Path, target: Path, change: Change) -> None:
    shutil.copytree(source, target)
    file = target / "model.json"
    document = json.loads(file.read_text())
    change(document)
    file.write_text(json.dumps(document))


def add(operation: str) -> Change:
    def change(document: Any) -> None:
        node = {"name": EVIL, "op": operation, "input": ["main_input"], "attr": {}}
        document["modelTopology"]["node"].append(node)

    return change


def _node(document: Any) -> Any:
    return next(node for node in document["modelTopology"]["node"] if node["name"] == "value_head")


def _js_attribute(key: str, value: Any) -> Change:
    def change(document: Any) -> None:
        _node(document).setdefault("attr", {})[key] = value

    return change


def _set(path: str, value: Any) -> Change:
    """A member of model.json, named by its way through it."""

    def change(document: Any) -> None:
        *way, last = path.split("/")
        place = document
        for step in way:
            place = place[int(step)] if isinstance(place, list) else place.setdefault(step, {})
        if isinstance(place, list):
            place[int(last)] = value
        else:
            place[last] = value

    return change


def _js_control(document: Any) -> None:
    _node(document)["input"].append("^main_input")


def _js_two_weights(document: Any) -> None:
    weights = document["weightsManifest"][0]["weights"]
    weights.append({**weights[0], "shape": [0]})


def _js_input_left_out(document: Any) -> None:
    document["modelTopology"]["node"].append({"name": EVIL, "op": "Placeholder", "attr": {}})


def _js_other_output(document: Any) -> None:
    document["signature"]["outputs"]["value_head"]["name"] = "value_head:1"


CHANGES: dict[str, Change] = {
    "a control edge": _js_control,
    "a function": _set("modelTopology/library", {"function": [{"signature": {"name": EVIL}}]}),
    "a gradient": _set("modelTopology/library", {"gradient": [{}]}),
    "a call in an attribute": _js_attribute("f", {"func": {"name": EVIL}}),
    "calls in an attribute": _js_attribute("f", {"list": {"func": [{"name": EVIL}]}}),
    "a path": _js_attribute("file", {"s": base64.b64encode(b"/etc/passwd").decode()}),
    "a kernel of its own": _js_attribute("_kernel", {"s": base64.b64encode(b"mine").decode()}),
    "a resource": _js_attribute("dtype", {"type": "DT_RESOURCE"}),
    "text": _js_attribute("T", {"type": "DT_STRING"}),
    "a type by number": _js_attribute("T", {"type": 7}),
    "two values": _js_attribute("T", {"type": "DT_FLOAT", "func": {"name": EVIL}}),
    "a member of a node": _set("modelTopology/node/0/run", "alert(1)"),
    "a device": _set("modelTopology/node/0/device", "/device:GPU:0"),
    "a member of the graph": _set("modelTopology/model_config", {"class_name": "Sequential"}),
    "an initializer": _set("modelInitializer", {"node": []}),
    "a signature of an initializer": _set("initializerSignature", {}),
    "training": _set("trainingConfig", {}),
    "weights above the folder": _set("weightsManifest/0/paths/0", "../weights.bin"),
    "weights from an address": _set("weightsManifest/0/paths/0", "https://example.org/weights.bin"),
    "weights in /etc": _set("weightsManifest/0/paths/0", "/etc/passwd"),
    "weights with a question": _set("weightsManifest/0/paths/0", "group1-shard1of1.bin?x=1"),
    "weights of an encoded name": _set("weightsManifest/0/paths/0", "%2e%2e/weights.bin"),
    "weights of text": _set("weightsManifest/0/weights/0/dtype", "string"),
    "weights of another stored type": _set("weightsManifest/0/weights/0/quantization", {"dtype": "string"}),
    "weights of a negative size": _set("weightsManifest/0/weights/0/shape", [-1, -1]),
    "two weights of one name": _js_two_weights,
    "an input that the signature leaves out": _js_input_left_out,
    "an output that is a node's second": _js_other_output,
}
BROKEN: dict[str, Change] = {
    "weights that are too long": _set("weightsManifest/0/weights/0/shape", [1, 1]),
    "no weights": lambda document: document.pop("weightsManifest"),
    "no graph": lambda document: document.pop("modelTopology"),
    "another format": _set("format", "layers-model"),
    "nodes that are no nodes": _set("modelTopology/node", ["evil"]),
    "a size that is no number": _js_attribute("shape", {"shape": {"dim": [{"size": "many"}]}}),
}
