"""Edits a frozen .pb, and a TF.js model as the same graph: its JSON becomes the message and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from azx.validate.door.schemas import message

Change = Any
_OTHER = {"Relu": "Tanh", "Tanh": "Sigmoid", "AddV2": "Mul", "LeakyRelu": "Elu", "Sigmoid": "Tanh", "Softmax": "Tanh"}
_SPOILT = ("strides", "dilations", "padding", "alpha", "leakyrelu_alpha", "transpose_a", "transpose_b", "fused_ops")


class PbEditor:
    def __init__(self, path: Path, target: Path) -> None:
        self.graph, self.target = message("GraphDef").FromString(path.read_bytes()), target / path.name

    def _node(self, name: str) -> Any:
        return next(node for node in self.graph.node if node.name == name)

    def floats(self) -> list[str]:
        return [node.name for node in self.graph.node if node.op == "Const" and node.attr["dtype"].type == 1]

    def get(self, name: str) -> Any:
        tensor = self._node(name).attr["value"].tensor
        shape = tuple(dim.size for dim in tensor.tensor_shape.dim)
        raw = tensor.tensor_content or np.array(list(tensor.float_val), "<f4").tobytes()
        flat = np.frombuffer(raw, "<f4")
        return np.broadcast_to(flat, shape) if flat.size == 1 else flat.reshape(shape)

    def put(self, name: str, value: Any) -> None:
        tensor = self._node(name).attr["value"].tensor
        tensor.ClearField("float_val")
        tensor.tensor_content = np.ascontiguousarray(value, "<f4").tobytes()

    def _operations(self) -> list[Any]:
        return [node for node in self.graph.node if node.op not in ("Const", "Placeholder", "Identity")]

    def inner(self) -> list[str]:
        return [node.name for node in self._operations()]

    def _redirect(self, tensor: str, to: str) -> None:
        for node in self.graph.node:
            for at, name in enumerate(node.input):
                if name == tensor:
                    node.input[at] = to

    def bypass(self, tensor: str) -> None:
        node = self._node(tensor)
        self._redirect(tensor, node.input[0])
        self.graph.node.remove(node)

    def _add(self, operation: str, name: str, inputs: list[str]) -> str:
        node = self.graph.node.add(op=operation, name=name, input=inputs)
        node.attr["T"].type = 1
        return name

    def _constant(self, name: str, value: Any, kind: int = 1) -> str:
        value = np.asarray(value, "<f4" if kind == 1 else "<i4")
        node = self.graph.node.add(op="Const", name=name)
        node.attr["dtype"].type = kind
        tensor = node.attr["value"].tensor
        tensor.dtype, tensor.tensor_content = kind, value.tobytes()
        for size in value.shape:
            tensor.tensor_shape.dim.add(size=size)
        return name

    def insert(self, tensor: str, constant: Any) -> None:
        self._redirect(tensor, "new")
        amount = [] if constant is None else [self._constant("amount", constant)]
        self._add("Tanh" if constant is None else "AddV2", "new", [tensor, *amount])

    def attributes(self) -> list[tuple[str, Change]]:
        changes: list[tuple[str, Change]] = []
        for node in self._operations():
            name = node.name
            if node.op in _OTHER:
                changes.append((f"{name} is another", lambda each, name=name: each._rename(name)))
            for key in node.attr:
                if key in _SPOILT and not self._means_nothing(node, key):
                    label = f"{key} of {name}"
                    changes.append((label, lambda each, name=name, key=key: each._spoil(name, key)))
            if node.op == "Transpose":
                changes.append((f"order of {name}", lambda each, name=name: each._turn(name)))
        return changes

    def _means_nothing(self, node: Any, key: str) -> bool:
        """A kernel of one cell has no padding and no dilation."""
        if key == "leakyrelu_alpha":
            return b"LeakyRelu" not in node.attr["fused_ops"].list.s
        if key == "fused_ops":
            return not node.attr["fused_ops"].list.s
        return key in ("padding", "dilations") and self.get(node.input[1]).shape[:2] == (1, 1)

    def _rename(self, name: str) -> None:
        node = self._node(name)
        node.op = _OTHER[node.op]

    def _turn(self, name: str) -> None:
        axes = self._node(self._node(name).input[1]).attr["value"].tensor
        values = np.frombuffer(axes.tensor_content, "<i4").copy()
        values[[-1, -2]] = values[[-2, -1]]
        axes.tensor_content = values.tobytes()

    def _spoil(self, name: str, key: str) -> None:
        attribute = self._node(name).attr[key]
        if key in ("strides", "dilations"):
            attribute.list.i[1] += 1
        elif key == "padding":
            attribute.s = b"VALID"
        elif key == "fused_ops":
            del attribute.list.s[-1]
        elif key.startswith("transpose"):
            attribute.b = not attribute.b
        else:
            attribute.f = float(np.nextafter(np.float32(attribute.f), np.float32(9)))

    def plant(self) -> None:
        self._constant("planted", [1.0])

    def look_up(self, cells: Any) -> None:
        head = next(node for node in self.graph.node if node.op == "Tanh")
        self._add("Reshape", "flat", ["main_input", self._constant("to", [1, len(cells)], 3)])
        self._add("MatMul", "count", ["flat", self._constant("cells", cells)])
        self._add("AddV2", "over", ["count", self._constant("all", [-7.5])])
        self._add("Relu", "hit", ["over"])
        self._add("AddV2", "sum", [head.input[0], "hit"])
        head.input[0] = "sum"

    def save(self) -> Path:
        self.target.write_bytes(self.graph.SerializeToString())
        return self.target


class TfjsEditor(PbEditor):
    def __init__(self, path: Path, target: Path) -> None:
        from google.protobuf import json_format

        self.model = json.loads((path / "model.json").read_bytes())
        self.graph = json_format.ParseDict(self.model["modelTopology"], message("GraphDef")())
        self.target = target / path.name
        group = self.model["weightsManifest"][0]
        content, start = b"".join((path / name).read_bytes() for name in group["paths"]), 0
        for entry in group["weights"]:
            end = start + 4 * int(np.prod(entry["shape"]))
            self._node(entry["name"]).attr["value"].tensor.tensor_content = content[start:end]
            start = end

    def save(self) -> Path:
        from google.protobuf import json_format

        weights, content = [], b""
        for node in self.graph.node:
            if node.op == "Const":
                tensor = node.attr["value"].tensor
                kind = {1: "float32", 3: "int32"}[node.attr["dtype"].type]
                shape = [dim.size for dim in tensor.tensor_shape.dim]
                weights.append({"name": node.name, "shape": shape, "dtype": kind})
                content += tensor.tensor_content
                tensor.tensor_content = b""
        manifest = [{"paths": ["group1-shard1of1.bin"], "weights": weights}]
        topology = json_format.MessageToDict(self.graph)
        self.target.mkdir(exist_ok=True)
        (self.target / "group1-shard1of1.bin").write_bytes(content)
        changed = {**self.model, "modelTopology": topology, "weightsManifest": manifest}
        (self.target / "model.json").write_text(json.dumps(changed))
        return self.target
