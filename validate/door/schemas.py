"""Loads the messages of a format's own protobuf schema without importing the package that ships it.

`import tensorflow` and `import coremltools` take seconds, and load code that runs artifacts. Their schemas are
constants in files that protoc made; these are read here, and no line of the package runs.
"""

from __future__ import annotations

import ast
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ...errors import BundleError

# The package, the folder of its schemas, the schema that has the message, and the message's full name.
_HOMES = {
    "GraphDef": ("tensorflow", "tensorflow/core/framework/graph_pb2.py", "tensorflow.GraphDef"),
    "ModelProto": ("onnx", "onnx/onnx_ml_pb2.py", "onnx.ModelProto"),
    "Model": ("coremltools", "coremltools/proto/Model_pb2.py", "CoreML.Specification.Model"),
}


@cache
def message(name: str) -> type[Any]:
    """The class of GraphDef, ModelProto or Model (Core ML's).

    ImportError, naming the package, if that is not installed.
    """
    from google.protobuf import descriptor_pool, message_factory

    package, path, full_name = _HOMES[name]
    file = _packages(package) / path
    pool, added = descriptor_pool.DescriptorPool(), set[str]()
    _add(file, _root_of(file, path), pool, added)
    kind: type[Any] = message_factory.GetMessageClass(pool.FindMessageTypeByName(full_name))
    return kind


def parsed(name: str, content: bytes, broken: BundleError) -> Any:
    """The message of that name in `content`; raises `broken` if it is none, ImportError as `message`."""
    try:
        return message(name).FromString(content)
    except ImportError:
        raise
    except Exception as error:  # protobuf's DecodeError has no public base
        raise broken from error


def _packages(package: str) -> Path:
    """The folder of a package."""
    spec = find_spec(package)
    if spec is None or not spec.origin:
        raise ModuleNotFoundError(f"No module named '{package}'", name=package)
    return Path(spec.origin).parent.parent


def _root_of(file: Path, path: str) -> Path:
    """The folder where a schema's imports start: coremltools' are beside one another, the others' are full paths."""
    beside = path.startswith("coremltools/")
    return file.parent if beside else file.parents[path.count("/")]


def _add(file: Path, root: Path, pool: Any, added: set[str]) -> None:
    """Add a schema to the pool, after the schemas that it imports."""
    from google.protobuf.descriptor_pb2 import FileDescriptorProto

    schema = FileDescriptorProto.FromString(_serialized(file))
    for name in schema.dependency:
        if name not in added:
            added.add(name)
            _add(root / f"{name.removesuffix('.proto')}_pb2.py", root, pool, added)
    pool.Add(schema)


def _serialized(file: Path) -> bytes:
    """The schema in a file from protoc: the one constant that the file passes to protobuf."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            given = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg == "serialized_pb")]
            for value in given if node.func.attr in ("AddSerializedFile", "FileDescriptor") else ():
                if isinstance(value, ast.Constant) and isinstance(value.value, bytes):
                    return value.value
    raise ImportError(f"{file} holds no schema that protoc made", name=file.parent.name)
