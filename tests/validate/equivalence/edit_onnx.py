"""Edits an ONNX file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from azx.validate.door.schemas import message

Change = Any
_OTHER = {"Relu": "Tanh", "Tanh": "Sigmoid", "Add": "Mul", "LeakyRelu": "Elu", "Sigmoid": "Tanh", "Softmax": "Tanh"}


class OnnxEditor:
    def __init__(self, path: Path, target: Path) -> None:
        self.model = message("ModelProto").FromString(path.read_bytes())
        self.graph, self.target = self.model.graph, target / path.name

    def _weight(self, name: str) -> Any:
        return next(tensor for tensor in self.graph.initializer if tensor.name == name)

    def floats(self) -> list[str]:
        return [tensor.name for tensor in self.graph.initializer if tensor.data_type == 1]

    def get(self, name: str) -> Any:
        weight = self._weight(name)
        raw = weight.raw_data or np.array(list(weight.float_data), "<f4").tobytes()
        return np.frombuffer(raw, "<f4").reshape(tuple(weight.dims))

    def put(self, name: str, value: Any) -> None:
        weight = self._weight(name)
        weight.ClearField("float_data")
        weight.raw_data = np.ascontiguousarray(value, "<f4").tobytes()

    def inner(self) -> list[str]:
        read = {name for node in self.graph.node for name in node.input}
        return [node.output[0] for node in self.graph.node if node.output[0] in read]

    def _redirect(self, tensor: str, to: str) -> None:
        for node in self.graph.node:
            for at, name in enumerate(node.input):
                if name == tensor:
                    node.input[at] = to

    def bypass(self, tensor: str) -> None:
        node = next(node for node in self.graph.node if node.output[0] == tensor)
        self._redirect(tensor, node.input[0])
        self.graph.node.remove(node)

    def _constant(self, name: str, value: Any, kind: int = 1) -> str:
        dtype = "<f4" if kind == 1 else "<i8"
        value = np.asarray(value, dtype)
        self.graph.initializer.add(name=name, data_type=kind, dims=value.shape, raw_data=value.tobytes())
        return name

    def insert(self, tensor: str, constant: Any) -> None:
        self._redirect(tensor, "new")
        if constant is None:
            self.graph.node.add(op_type="Tanh", input=[tensor], output=["new"])
        else:
            self.graph.node.add(op_type="Add", input=[tensor, self._constant("amount", constant)], output=["new"])

    def attributes(self) -> list[tuple[str, Change]]:
        changes: list[tuple[str, Change]] = []
        for at, node in enumerate(self.graph.node):
            if node.op_type in _OTHER:
                changes.append((f"{node.op_type} {at} is another", lambda each, at=at: each._rename(at)))
            for number, attribute in enumerate(node.attribute):
                if attribute.name == "kernel_shape" or (attribute.name == "dilations" and node.op_type != "Conv"):
                    continue
                label = f"{attribute.name} of {node.op_type} {at}"
                changes.append((label, lambda each, at=at, number=number: each._spoil(at, number)))
        return changes

    def _rename(self, at: int) -> None:
        node = self.graph.node[at]
        node.op_type = _OTHER[node.op_type]

    def _spoil(self, at: int, number: int) -> None:
        node = self.graph.node[at]
        attribute = node.attribute[number]
        if attribute.type == 1:
            attribute.f = float(np.nextafter(np.float32(attribute.f), np.float32(9)))
        elif attribute.type == 2:
            attribute.i += 1
        elif attribute.name == "perm":
            attribute.ints[-1], attribute.ints[-2] = attribute.ints[-2], attribute.ints[-1]
        elif attribute.name == "pads":
            attribute.ints[0], attribute.ints[2] = attribute.ints[0] + 1, attribute.ints[2] - 1
        elif attribute.name == "dilations" and self.get(node.input[1]).shape[2:] == (1, 1):
            attribute.ints.append(2)  # of one cell a wider step means nothing; one more does
        else:
            attribute.ints[0] += 1

    def plant(self) -> None:
        self._constant("planted", [1.0])

    def look_up(self, cells: Any) -> None:
        head = next(node for node in self.graph.node if node.op_type == "Tanh")
        add = self.graph.node.add
        add(op_type="Reshape", input=["main_input", self._constant("to", [1, len(cells)], 7)], output=["flat"])
        add(op_type="MatMul", input=["flat", self._constant("cells", cells)], output=["count"])
        add(op_type="Add", input=["count", self._constant("all", [-7.5])], output=["over"])
        add(op_type="Relu", input=["over"], output=["hit"])
        add(op_type="Add", input=[head.input[0], "hit"], output=["sum"])
        head.input[0] = "sum"

    def save(self) -> Path:
        self.target.write_bytes(self.model.SerializeToString())
        return self.target
