"""Edits a TFLite file by the tables of its own schema."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

Change = Any
_OPTIONS = ("strideH", "dilationHFactor", "padding", "fusedActivationFunction", "alpha", "beta")


class TfliteEditor:
    def __init__(self, path: Path, target: Path) -> None:
        from ai_edge_litert import schema_py_generated as schema

        self.schema, self.target = schema, target / path.name
        self.model = schema.ModelT.InitFromPackedBuf(bytearray(path.read_bytes()), 0)
        self.graph = self.model.subgraphs[0]
        self.names = {number: name for name, number in vars(schema.BuiltinOperator).items() if isinstance(number, int)}

    def _operation(self, operator: Any) -> str:
        code = self.model.operatorCodes[operator.opcodeIndex]
        return str(self.names[max(code.builtinCode, code.deprecatedBuiltinCode)])

    def floats(self) -> list[str]:
        tensors = enumerate(self.graph.tensors)
        return [str(at) for at, each in tensors if each.type == 0 and self._data(each) is not None]

    def _data(self, tensor: Any) -> Any:
        data = self.model.buffers[tensor.buffer].data
        return None if data is None or not len(data) else np.asarray(data, np.uint8)

    def get(self, name: str) -> Any:
        tensor = self.graph.tensors[int(name)]
        return np.frombuffer(self._data(tensor).tobytes(), "<f4").reshape(tuple(tensor.shape))

    def put(self, name: str, value: Any) -> None:
        data = np.frombuffer(np.ascontiguousarray(value, "<f4").tobytes(), np.uint8)
        self.model.buffers[self.graph.tensors[int(name)].buffer].data = data

    def inner(self) -> list[str]:
        read = {int(at) for operator in self.graph.operators for at in operator.inputs}
        return [str(int(each.outputs[0])) for each in self.graph.operators if int(each.outputs[0]) in read]

    def _redirect(self, tensor: str, to: int) -> None:
        for operator in self.graph.operators:
            operator.inputs = [to if int(at) == int(tensor) else int(at) for at in operator.inputs]

    def bypass(self, tensor: str) -> None:
        at = next(at for at, each in enumerate(self.graph.operators) if int(each.outputs[0]) == int(tensor))
        self._redirect(tensor, int(self.graph.operators[at].inputs[0]))
        del self.graph.operators[at]

    def _tensor(self, shape: Any, value: Any = None, kind: int = 0) -> int:
        buffer, tensor = self.schema.BufferT(), self.schema.TensorT()
        if value is not None:
            stored = np.asarray(value, "<f4" if kind == 0 else "<i4")
            buffer.data = np.frombuffer(np.ascontiguousarray(stored).tobytes(), np.uint8)
        self.model.buffers.append(buffer)
        tensor.buffer, tensor.shape, tensor.type = len(self.model.buffers) - 1, list(shape), kind
        tensor.name = f"new{tensor.buffer}".encode()
        self.graph.tensors.append(tensor)
        return len(self.graph.tensors) - 1

    def _operator(self, operation: str, inputs: list[int], output: int, options: Any = None) -> Any:
        code = self.schema.OperatorCodeT()
        code.builtinCode = code.deprecatedBuiltinCode = getattr(self.schema.BuiltinOperator, operation)
        self.model.operatorCodes.append(code)
        operator = self.schema.OperatorT()
        operator.opcodeIndex, operator.inputs = len(self.model.operatorCodes) - 1, inputs
        operator.outputs = [output]
        if options is not None:
            operator.builtinOptionsType = getattr(self.schema.BuiltinOptions, type(options).__name__[:-1])
            operator.builtinOptions = options
        return operator

    def insert(self, tensor: str, constant: Any) -> None:
        old = int(tensor)
        at = next(at for at, each in enumerate(self.graph.operators) if int(each.outputs[0]) == old)
        new = self._tensor(self.graph.tensors[old].shape)
        self._redirect(tensor, new)
        if constant is None:
            made = self._operator("TANH", [old], new)
        else:
            amount = self._tensor([1], [constant])
            made = self._operator("ADD", [old, amount], new, self.schema.AddOptionsT())
        self.graph.operators.insert(at + 1, made)

    def attributes(self) -> list[tuple[str, Change]]:
        changes: list[tuple[str, Change]] = []
        for at, operator in enumerate(self.graph.operators):
            operation, options = self._operation(operator), operator.builtinOptions
            if operation in ("TANH", "SOFTMAX", "LEAKY_RELU", "ADD"):
                changes.append((f"{operation} {at} is another", lambda each, at=at: each._rename(at)))
            if operation == "TRANSPOSE":
                changes.append((f"order of {at}", lambda each, at=at: each._turn(at)))
            one = operation == "CONV_2D" and tuple(self.get(str(int(operator.inputs[1]))).shape[1:3]) == (1, 1)
            for key in _OPTIONS:
                if hasattr(options, key) and not (one and key in ("padding", "dilationHFactor")):
                    changes.append((f"{key} of {operation} {at}", lambda each, at=at, key=key: each._spoil(at, key)))
        return changes

    def _rename(self, at: int) -> None:
        operator = self.graph.operators[at]
        made = self._operator("RELU", [int(operator.inputs[0])], int(operator.outputs[0]))
        self.graph.operators[at] = made

    def _turn(self, at: int) -> None:
        tensor = self.graph.tensors[int(self.graph.operators[at].inputs[1])]
        axes = np.frombuffer(self._data(tensor).tobytes(), "<i4").copy()
        axes[[-1, -2]] = axes[[-2, -1]]
        self.model.buffers[tensor.buffer].data = np.frombuffer(axes.tobytes(), np.uint8)

    def _spoil(self, at: int, key: str) -> None:
        options = self.graph.operators[at].builtinOptions
        value = getattr(options, key)
        if isinstance(value, float):
            setattr(options, key, float(np.nextafter(np.float32(value), np.float32(9))))
        else:
            setattr(options, key, 1 - value if key == "padding" else value + 1)

    def plant(self) -> None:
        self._tensor([1], [1.0])

    def look_up(self, cells: Any) -> None:
        at = next(at for at, each in enumerate(self.graph.operators) if self._operation(each) == "TANH")
        head, schema = self.graph.operators[at], self.schema
        flat, count, hit, total = (self._tensor(shape) for shape in ([1, len(cells)], [1, 1], [1, 1], [1, 1]))
        kernel, bias = self._tensor([1, len(cells)], cells.T), self._tensor([1], [-7.5])
        dense = schema.FullyConnectedOptionsT()
        dense.fusedActivationFunction = 1
        to = self._tensor([2], [1, len(cells)], 2)
        steps = [
            self._operator("RESHAPE", [int(self.graph.inputs[0]), to], flat),
            self._operator("FULLY_CONNECTED", [flat, kernel, bias], count, dense),
            self._operator("RELU", [count], hit),
            self._operator("ADD", [int(head.inputs[0]), hit], total, schema.AddOptionsT()),
        ]
        self.graph.operators[at:at] = steps
        head.inputs = [total]

    def save(self) -> Path:
        import flatbuffers

        builder = flatbuffers.Builder(1 << 20)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        self.target.write_bytes(bytes(builder.Output()))
        return self.target
