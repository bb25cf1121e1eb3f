"""Each format's artifact opened, changed and saved by its own library, for `fault_edits`."""

from __future__ import annotations

import json
import re
import struct
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

VALUE, POLICY = "value_head", "policy_head"
SWAPPED = {VALUE: POLICY, POLICY: VALUE}
RENAMED = "outcome"


class Artifact(ABC):
    """One artifact in memory; `save` writes it back."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.open()

    @abstractmethod
    def open(self) -> None: ...

    @abstractmethod
    def save(self) -> None: ...

    @abstractmethod
    def weights(self) -> dict[str, NDArray[np.float32]]: ...

    @abstractmethod
    def put(self, name: str, values: NDArray[np.float32]) -> None: ...

    @abstractmethod
    def swap_order(self) -> None: ...

    @abstractmethod
    def swap_answers(self) -> None: ...

    @abstractmethod
    def rename(self) -> None: ...

    @abstractmethod
    def rename_in_one_place(self) -> None: ...


class Pb(Artifact):
    def open(self) -> None:
        from tensorflow.core.framework.graph_pb2 import GraphDef

        self.graph = GraphDef.FromString(self.path.read_bytes())
        self.nodes = {node.name: node for node in self.graph.node}

    def save(self) -> None:
        self.path.write_bytes(self.graph.SerializeToString())

    def weights(self) -> dict[str, NDArray[np.float32]]:
        from tensorflow import make_ndarray

        constants = {name: node.attr["value"].tensor for name, node in self.nodes.items() if node.op == "Const"}
        return {name: make_ndarray(tensor) for name, tensor in constants.items() if tensor.dtype == 1}

    def put(self, name: str, values: NDArray[np.float32]) -> None:
        from tensorflow import make_tensor_proto

        self.nodes[name].attr["value"].tensor.CopyFrom(make_tensor_proto(values))

    def swap_order(self) -> None:
        first, second = type(self.nodes[VALUE])(), type(self.nodes[VALUE])()
        first.CopyFrom(self.nodes[VALUE])
        second.CopyFrom(self.nodes[POLICY])
        self.nodes[VALUE].CopyFrom(second)
        self.nodes[POLICY].CopyFrom(first)

    def swap_answers(self) -> None:
        value, policy = self.nodes[VALUE].input[0], self.nodes[POLICY].input[0]
        self.nodes[VALUE].input[0], self.nodes[POLICY].input[0] = policy, value

    def rename(self) -> None:
        self.nodes[VALUE].name = RENAMED

    def rename_in_one_place(self) -> None:
        """Keras' own node, which apps fetch, and all that reads it; `value_head` itself stays."""
        for node in self.graph.node:
            node.name = node.name.replace("value_head/Tanh", "outcome/Tanh")
            node.input[:] = [name.replace("value_head/Tanh", "outcome/Tanh") for name in node.input]


class Onnx(Artifact):
    def open(self) -> None:
        import onnx

        self.model = onnx.load(self.path)
        self.graph = self.model.graph

    def save(self) -> None:
        self.path.write_bytes(self.model.SerializeToString())

    def weights(self) -> dict[str, NDArray[np.float32]]:
        from onnx import numpy_helper

        return {item.name: numpy_helper.to_array(item) for item in self.graph.initializer if item.data_type == 1}

    def put(self, name: str, values: NDArray[np.float32]) -> None:
        from onnx import numpy_helper

        tensor = next(item for item in self.graph.initializer if item.name == name)
        tensor.CopyFrom(numpy_helper.from_array(values, name))

    def swap_order(self) -> None:
        outputs = [*self.graph.output][::-1]
        del self.graph.output[:]
        self.graph.output.extend(outputs)

    def swap_answers(self) -> None:
        self._rename_all(SWAPPED)
        self.swap_order()

    def rename(self) -> None:
        self._rename_all({VALUE: RENAMED})

    def rename_in_one_place(self) -> None:
        self.graph.output[0].name = RENAMED

    def _rename_all(self, names: dict[str, str]) -> None:
        for node in self.graph.node:
            node.output[:] = [names.get(name, name) for name in node.output]
        for port in self.graph.output:
            port.name = names.get(port.name, port.name)


class TfLite(Artifact):
    def open(self) -> None:
        from ai_edge_litert import schema_py_generated as schema

        self.model = schema.ModelT.InitFromPackedBuf(bytearray(self.path.read_bytes()), 0)
        self.graph, self.signature = self.model.subgraphs[0], self.model.signatureDefs[0]
        self.heads = {self.graph.tensors[index].name: self.graph.tensors[index] for index in self.graph.outputs}

    def save(self) -> None:
        import flatbuffers

        builder = flatbuffers.Builder()
        builder.Finish(self.model.Pack(builder), b"TFL3")
        self.path.write_bytes(builder.Output())

    def weights(self) -> dict[str, NDArray[np.float32]]:
        constants = {str(i): tensor for i, tensor in enumerate(self.graph.tensors) if self._is_weight(tensor)}
        data = {name: self.model.buffers[tensor.buffer].data for name, tensor in constants.items()}
        return {name: data[name].view(np.float32).reshape(tensor.shape) for name, tensor in constants.items()}

    def _is_weight(self, tensor: Any) -> bool:
        data = self.model.buffers[tensor.buffer].data
        return tensor.type == 0 and data is not None and len(data) > 0

    def put(self, name: str, values: NDArray[np.float32]) -> None:
        data = np.frombuffer(np.ascontiguousarray(values).tobytes(), np.uint8)
        self.model.buffers[self.graph.tensors[int(name)].buffer].data = data

    def swap_order(self) -> None:
        self.graph.outputs = self.graph.outputs[::-1]

    def swap_answers(self) -> None:
        self.heads[b"value_head"].name, self.heads[b"policy_head"].name = b"policy_head", b"value_head"
        self.swap_order()
        self.rename_in_one_place()

    def rename(self) -> None:
        self.heads[b"value_head"].name = RENAMED.encode()
        next(port for port in self.signature.outputs if port.name == b"value_head").name = RENAMED.encode()

    def rename_in_one_place(self) -> None:
        """The signature's two names change places; the tensors keep theirs."""
        first, second = self.signature.outputs
        first.tensorIndex, second.tensorIndex = second.tensorIndex, first.tensorIndex


class TfJs(Artifact):
    def open(self) -> None:
        self.document = json.loads((self.path / "model.json").read_text())
        self.shard = self.path / "group1-shard1of1.bin"
        self.data = bytearray(self.shard.read_bytes())
        self.nodes = {node["name"]: node for node in self.document["modelTopology"]["node"]}
        self.outputs = self.document["signature"]["outputs"]

    def save(self) -> None:
        (self.path / "model.json").write_text(json.dumps(self.document))
        self.shard.write_bytes(self.data)

    def _places(self) -> dict[str, tuple[int, list[int]]]:
        places, at = {}, 0
        for spec in self.document["weightsManifest"][0]["weights"]:
            if spec["dtype"] == "float32":
                places[spec["name"]] = (at, spec["shape"])
            at += 4 * int(np.prod(spec["shape"]))
        return places

    def weights(self) -> dict[str, NDArray[np.float32]]:
        return {name: _at(self.data, at, shape) for name, (at, shape) in self._places().items()}

    def put(self, name: str, values: NDArray[np.float32]) -> None:
        at, _ = self._places()[name]
        self.data[at : at + values.nbytes] = values.tobytes()

    def swap_order(self) -> None:
        self.document["signature"]["outputs"] = dict(reversed(self.outputs.items()))

    def swap_answers(self) -> None:
        value, policy = self.nodes[VALUE]["input"], self.nodes[POLICY]["input"]
        self.nodes[VALUE]["input"], self.nodes[POLICY]["input"] = policy, value

    def rename(self) -> None:
        self.nodes[VALUE]["name"] = RENAMED
        outputs = {RENAMED: {**self.outputs[VALUE], "name": f"{RENAMED}:0"}, POLICY: self.outputs[POLICY]}
        self.document["signature"]["outputs"] = outputs

    def rename_in_one_place(self) -> None:
        self.nodes[VALUE]["name"] = RENAMED
        self.outputs[VALUE]["name"] = f"{RENAMED}:0"


class CoreMl(Artifact):
    def open(self) -> None:
        from azx.export.formats.to_coreml import quiet

        with quiet():
            import coremltools

        self.tools, self.folder = coremltools, self.path / "Data" / "com.apple.CoreML"
        self.spec = coremltools.utils.load_spec(str(self.path))
        self.data = bytearray((self.folder / "weights" / "weight.bin").read_bytes())
        (self.block,) = self.spec.mlProgram.functions["main"].block_specializations.values()

    def save(self) -> None:
        (self.folder / "model.mlmodel").write_bytes(self.spec.SerializeToString())
        (self.folder / "weights" / "weight.bin").write_bytes(self.data)

    def _places(self) -> dict[str, tuple[int, list[int]]]:
        """Where each float32 blob begins: its 64-byte header has the offset of the data at byte 16."""
        places = {}
        for operation in self.block.operations:
            value = operation.attributes["val"].blobFileValue if "val" in operation.attributes else None
            if value is not None and value.fileName:
                sizes = [dim.constant.size for dim in operation.outputs[0].type.tensorType.dimensions]
                (at,) = struct.unpack_from("<Q", self.data, value.offset + 16)
                places[operation.outputs[0].name] = (at, sizes)
        return places

    def weights(self) -> dict[str, NDArray[np.float32]]:
        return {name: _at(self.data, at, shape) for name, (at, shape) in self._places().items()}

    def put(self, name: str, values: NDArray[np.float32]) -> None:
        at, _ = self._places()[name]
        self.data[at : at + values.nbytes] = np.ascontiguousarray(values).tobytes()

    def swap_order(self) -> None:
        self._reverse(self.spec.description.output)
        self.block.outputs[:] = list(self.block.outputs)[::-1]

    def swap_answers(self) -> None:
        for operation in self.block.operations:
            for output in operation.outputs:
                output.name = SWAPPED.get(output.name, output.name)
        for port in self.spec.description.output:
            port.name = SWAPPED[port.name]
        self._reverse(self.spec.description.output)

    def rename(self) -> None:
        self.tools.utils.rename_feature(self.spec, VALUE, RENAMED)

    def rename_in_one_place(self) -> None:
        self.spec.description.output[0].name = RENAMED

    def _reverse(self, ports: Any) -> None:
        copies = [type(port).FromString(port.SerializeToString()) for port in ports][::-1]
        del ports[:]
        ports.extend(copies)


class CoreAi(Artifact):
    """The program is edited as MLIR's text, in which a constant is its alignment and then its bytes, in hexadecimal."""

    CONSTANT = re.compile(r'(\w+): "0x([0-9A-F]{8})([0-9A-F]*)"')

    def open(self) -> None:
        from coreai.authoring import AIModelAsset, Context

        self.about = (self.path / "metadata.json").read_bytes()
        with Context()._mlir_context:
            self.text = str(AIModelAsset.load(self.path).program)

    def save(self) -> None:
        from coreai._compiler.ir import Module
        from coreai.authoring import AIProgram, Context

        with Context()._mlir_context:
            AIProgram._from_mlir_module(Module.parse(self.text)).save_asset(self.path)
        (self.path / "metadata.json").write_bytes(self.about)

    def weights(self) -> dict[str, NDArray[np.float32]]:
        shapes = dict(re.findall(r"dense_resource<(\w+)> : tensor<([0-9x]+)xf32>", self.text))
        data = {name: bytes.fromhex(digits) for name, _, digits in self.CONSTANT.findall(self.text)}
        sizes = {name: [int(size) for size in shape.split("x")] for name, shape in shapes.items()}
        # A bias is (1, C, 1, 1) there.
        sizes = {name: [size[1]] if size == [1, size[1], 1, 1] else size for name, size in sizes.items()}
        return {name: np.frombuffer(data[name], np.float32).reshape(shape) for name, shape in sizes.items()}

    def put(self, name: str, values: NDArray[np.float32]) -> None:
        digits = np.ascontiguousarray(values).tobytes().hex().upper()
        self.text = self.CONSTANT.sub(
            lambda found: f'{name}: "0x{found[2]}{digits}"' if found[1] == name else found[0], self.text
        )

    def swap_order(self) -> None:
        pair = r"(.+?), (.+?)"
        self.text = re.sub(rf"-> \({pair} (\{{.+?\}})\)", r"-> (\2 \3, \1)", self.text, count=1)
        self.text = re.sub(rf"coreai.output {pair} : {pair}$", r"coreai.output \2, \1 : \4, \3", self.text, flags=re.M)

    def swap_answers(self) -> None:
        self.swap_order()
        self.rename_in_one_place()

    def rename(self) -> None:
        self.text = self.text.replace(f'"{VALUE}"', f'"{RENAMED}"')

    def rename_in_one_place(self) -> None:
        """A name has one place: the two change theirs."""
        self.text = re.sub(f'"({VALUE}|{POLICY})"', lambda found: f'"{SWAPPED[found[1]]}"', self.text)


def _at(data: bytearray, at: int, shape: list[int]) -> NDArray[np.float32]:
    return np.frombuffer(bytes(data), np.float32, int(np.prod(shape)), at).reshape(shape)


KINDS: dict[str, type[Artifact]] = {
    "pb": Pb,
    "tflite": TfLite,
    "onnx": Onnx,
    "tfjs": TfJs,
    "coreml": CoreMl,
    "coreai": CoreAi,
}
