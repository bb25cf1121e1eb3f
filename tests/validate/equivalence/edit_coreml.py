"""Edits a Core ML package: the operations of its program, and weight.bin in place."""

from __future__ import annotations

import shutil
from pathlib import Path
from struct import Struct
from typing import Any

import numpy as np

from azx.validate.door.schemas import message

Change = Any
_HEADER = Struct("<IIQQ")
_SPOILT = ("strides", "dilations", "pad_type", "alpha", "perm", "transpose_x", "transpose_y", "groups", "axis")
_OTHER = {"relu": "tanh", "tanh": "sigmoid", "leaky_relu": "elu", "add": "mul"}


class CoremlEditor:
    def __init__(self, path: Path, target: Path) -> None:
        self.target = target / path.name
        shutil.rmtree(self.target, ignore_errors=True)
        shutil.copytree(path, self.target)
        folder = self.target / "Data" / "com.apple.CoreML"
        self.file, self.blob = folder / "model.mlmodel", folder / "weights" / "weight.bin"
        self.model, self.content = (
            message("Model").FromString(self.file.read_bytes()),
            bytearray(self.blob.read_bytes()),
        )
        function = self.model.mlProgram.functions["main"]
        self.block = function.block_specializations[function.opset]

    def _made(self, name: str) -> Any:
        return next(each for each in self.block.operations if each.outputs[0].name == name)

    def floats(self) -> list[str]:
        return [
            each.outputs[0].name
            for each in self.block.operations
            if each.type == "const" and each.attributes["val"].type.tensorType.dataType == 11 and each.outputs[0].name
            if each.attributes["val"].type.tensorType.rank
        ]

    def _place(self, name: str) -> tuple[int, int, tuple[int, ...]]:
        value = self._made(name).attributes["val"]
        shape = tuple(dim.constant.size for dim in value.type.tensorType.dimensions)
        _, _, size, begin = _HEADER.unpack_from(self.content, value.blobFileValue.offset)
        return begin, begin + size, shape

    def get(self, name: str) -> Any:
        value = self._made(name).attributes["val"]
        if value.WhichOneof("value") == "immediateValue":
            shape = tuple(dim.constant.size for dim in value.type.tensorType.dimensions)
            return np.array(list(value.immediateValue.tensor.floats.values), "<f4").reshape(shape)
        begin, end, shape = self._place(name)
        return np.frombuffer(bytes(self.content[begin:end]), "<f4").reshape(shape)

    def put(self, name: str, value: Any) -> None:
        stored = self._made(name).attributes["val"]
        if stored.WhichOneof("value") == "immediateValue":
            stored.immediateValue.tensor.floats.values[:] = [float(number) for number in value.ravel()]
            return
        begin, end, _ = self._place(name)
        self.content[begin:end] = np.ascontiguousarray(value, "<f4").tobytes()

    def _operations(self) -> list[Any]:
        return [each for each in self.block.operations if each.type != "const"]

    def inner(self) -> list[str]:
        outputs = set(self.block.outputs)
        return [each.outputs[0].name for each in self._operations() if each.outputs[0].name not in outputs]

    def _redirect(self, tensor: str, to: str) -> None:
        for each in self.block.operations:
            for given in each.inputs.values():
                for argument in given.arguments:
                    if argument.name == tensor:
                        argument.name = to

    def bypass(self, tensor: str) -> None:
        operation = self._made(tensor)
        self._redirect(tensor, operation.inputs["x"].arguments[0].name)
        self.block.operations.remove(operation)

    def _constant(self, name: str, value: Any, kind: int = 11) -> str:
        value = np.asarray(value)
        operation = self.block.operations.add(type="const")
        operation.outputs.add(name=name)
        stored = operation.attributes["val"]
        stored.type.tensorType.dataType, stored.type.tensorType.rank = kind, value.ndim
        for size in value.shape:
            stored.type.tensorType.dimensions.add().constant.size = size
        held = stored.immediateValue.tensor
        (held.floats if kind == 11 else held.ints).values.extend(value.ravel().tolist())
        return name

    def _add(self, kind: str, output: str, **inputs: str) -> str:
        operation = self.block.operations.add(type=kind)
        operation.outputs.add(name=output)
        for parameter, name in inputs.items():
            operation.inputs[parameter].arguments.add(name=name)
        return output

    def insert(self, tensor: str, constant: Any) -> None:
        self._redirect(tensor, "new")
        if constant is None:
            self._add("tanh", "new", x=tensor)
        else:
            self._add("add", "new", x=tensor, y=self._constant("amount", constant))

    def attributes(self) -> list[tuple[str, Change]]:
        changes: list[tuple[str, Change]] = []
        for operation in self._operations():
            name = operation.outputs[0].name
            one = operation.type == "conv" and self.get(operation.inputs["weight"].arguments[0].name).shape[2:] == (
                1,
                1,
            )
            if operation.type in _OTHER:
                changes.append((f"{name} is another", lambda each, name=name: each._rename(name)))
            for key in operation.inputs:
                if key in _SPOILT and not (one and key in ("dilations", "pad_type")):
                    changes.append((f"{key} of {name}", lambda each, name=name, key=key: each._spoil(name, key)))
        return changes

    def _rename(self, name: str) -> None:
        operation = self._made(name)
        operation.type = _OTHER[operation.type]

    def _spoil(self, name: str, key: str) -> None:
        value = self._made(self._made(name).inputs[key].arguments[0].name).attributes["val"].immediateValue.tensor
        kind = value.WhichOneof("value")
        held = getattr(value, kind).values
        if kind == "strings":
            held[0] = "custom" if held[0] != "custom" else "valid"
        elif kind == "bools":
            held[0] = not held[0]
        elif kind == "floats":
            held[0] = float(np.nextafter(np.float32(held[0]), np.float32(9)))
        elif key == "perm":
            held[1], held[2] = held[2], held[1]  # the last two may differ only in where one channel stands
        else:
            held[0] += 1

    def plant(self) -> None:
        self._constant("planted", [1.0])

    def look_up(self, cells: Any) -> None:
        head = next(each for each in self.block.operations if each.type == "tanh")
        self._add("reshape", "flat", x="main_input", shape=self._constant("to", [1, len(cells)], 23))
        self._add("matmul", "count", x="flat", y=self._constant("cells", cells))
        self._add("add", "over", x="count", y=self._constant("all", [-7.5]))
        self._add("relu", "hit", x="over")
        self._add("add", "sum", x=head.inputs["x"].arguments[0].name, y="hit")
        head.inputs["x"].arguments[0].name = "sum"

    def save(self) -> Path:
        self.file.write_bytes(self.model.SerializeToString())
        self.blob.write_bytes(bytes(self.content))
        return self.target
