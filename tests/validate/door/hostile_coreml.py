"""Core ML packages made hostile, one change each: their names, and how each is made of a sound package."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

EVIL = "evil"
Change = Callable[[Any], None]

OPERATIONS = {
    "lots": "random_uniform random_normal random_bernoulli random_categorical",
    "state": "read_state coreml_update_state write_state",
    "choice": "cond while_loop",
    "other": "make_list list_read list_write list_gather list_scatter list_length classify custom_layer "
    "non_maximum_suppression my_own_operation",
}


def copy_package(source: Path, target: Path) -> Path:
    """A copy of the package; its model."""
    shutil.copytree(source, target)
    index = json.loads((target / "Manifest.json").read_text())
    return target / "Data" / str(index["itemInfoEntries"][index["rootModelIdentifier"]]["path"])


def edit(source: Path, target: Path, change: Change) -> None:
    """Change the model's protobuf."""
    from azx.validate.door.schemas import message

    model_file = copy_package(source, target)
    model = message("Model").FromString(model_file.read_bytes())
    change(model)
    model_file.write_bytes(model.SerializeToString())


def block_of(model: Any) -> Any:
    function = model.mlProgram.functions["main"]
    return function.block_specializations[function.opset]


def add(operation: str) -> Change:
    """The last operation that is no constant is another one."""

    def change(model: Any) -> None:
        made = [each for each in block_of(model).operations if each.type != "const"][-1]
        made.type = operation
        made.outputs[0].name = EVIL

    return change


def _weight_from(name: str, offset: int | None = None) -> Change:
    def change(model: Any) -> None:
        value = next(
            each.attributes["val"].blobFileValue
            for each in block_of(model).operations
            if each.type == "const" and each.attributes["val"].WhichOneof("value") == "blobFileValue"
        )
        value.fileName = name
        if offset is not None:
            value.offset = offset

    return change


def _second_function(model: Any) -> None:
    model.mlProgram.functions["other"].CopyFrom(model.mlProgram.functions["main"])


def _function_of_another_name(model: Any) -> None:
    _second_function(model)
    del model.mlProgram.functions["main"]


def _second_form(model: Any) -> None:
    function = model.mlProgram.functions["main"]
    function.block_specializations["CoreML8"].CopyFrom(block_of(model))


def _no_program(model: Any) -> None:
    model.identity.SetInParent()


def _pipeline(model: Any) -> None:
    model.pipeline.SetInParent()


def _state(model: Any) -> None:
    model.description.state.add(name=EVIL)


def _updatable(model: Any) -> None:
    model.isUpdatable = True


def _inner_block(model: Any) -> None:
    [each for each in block_of(model).operations if each.type != "const"][-1].blocks.add()


def _text_output(model: Any) -> None:
    [each for each in block_of(model).operations if each.type != "const"][-1].outputs[0].type.tensorType.dataType = 2


def _large_output(model: Any) -> None:
    output = [each for each in block_of(model).operations if each.type != "const"][-1].outputs[0]
    output.type.tensorType.dimensions[-1].constant.size = 1 << 40


def _path_in_a_word(model: Any) -> None:
    made = [each for each in block_of(model).operations if each.type != "const"][-1]
    value = made.inputs["mode"].arguments.add().value
    value.type.tensorType.dataType = 2
    value.immediateValue.tensor.strings.values.append("/etc/passwd")


def _told(model: Any) -> None:
    model.mlProgram.attributes["onLoad"].type.tensorType.dataType = 2


def _sized_mil(operation: str, key: str, *values: int) -> Change:
    def change(model: Any) -> None:
        add(operation)(model)
        made = next(each for each in block_of(model).operations if each.type == operation)
        value = made.inputs[key].arguments.add().value
        value.type.tensorType.dataType = 23
        value.immediateValue.tensor.ints.values.extend(values)

    return change


CHANGES: dict[str, Change] = {
    "weights in /etc": _weight_from("/etc/passwd"),
    "weights above the package": _weight_from("@model_path/../../../weight.bin"),
    "weights in another file": _weight_from("@model_path/weights/other.bin"),
    "weights in the index": _weight_from("@model_path/../../Manifest.json"),
    "weights in the model": _weight_from("@model_path/model.mlmodel"),
    "weights behind the end": _weight_from("@model_path/weights/weight.bin", 1 << 40),
    "weights without a header": _weight_from("@model_path/weights/weight.bin", 96),
    "a second function": _second_function,
    "a function of another name": _function_of_another_name,
    "a second form": _second_form,
    "no program": _no_program,
    "a pipeline": _pipeline,
    "a state": _state,
    "to be trained": _updatable,
    "a block in a block": _inner_block,
    "an output of text": _text_output,
    "a huge output": _large_output,
    "a path": _path_in_a_word,
    "a program with more to say": _told,
    "a fill": _sized_mil("fill", "shape", 1 << 15, 1 << 15),
    "a tile": _sized_mil("tile", "reps", 1 << 30),
    "a margin": _sized_mil("pad", "pad", 0, 1 << 30),
    "a wide code": _sized_mil("one_hot", "one_hot_vector_size", 1 << 30),
    "a range": _sized_mil("range_1d", "end", 1 << 30),
    "a larger board": _sized_mil("upsample_nearest_neighbor", "scale_factor_height", 1 << 30),
    "a larger picture": _sized_mil("resize_bilinear", "target_size_height", 1 << 30),
}


def _index(package: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((package / "Manifest.json").read_text())
    return data


def _write_index(package: Path, index: dict[str, Any]) -> None:
    (package / "Manifest.json").write_text(json.dumps(index))


def _move_root(package: Path, place: str) -> None:
    """Another model as the root, in a folder of its own with weights of its own; the old one stays where it was."""
    index = _index(package)
    root = index["itemInfoEntries"][index["rootModelIdentifier"]]
    new = package / "Data" / place
    new.parent.mkdir(parents=True, exist_ok=True)
    old = package / "Data" / str(root["path"])
    shutil.copyfile(old, new)
    if not (new.parent / "weights").exists():
        shutil.copytree(old.parent / "weights", new.parent / "weights")
    root["path"] = place
    _write_index(package, index)


def _second_item(path: str) -> Callable[[Path], None]:
    def change(package: Path) -> None:
        index = _index(package)
        index["itemInfoEntries"]["2"] = {"path": path}
        (package / "Data" / path).parent.mkdir(parents=True, exist_ok=True)
        (package / "Data" / path).touch()
        _write_index(package, index)

    return change


def _root_outside(package: Path) -> None:
    index = _index(package)
    index["itemInfoEntries"][index["rootModelIdentifier"]]["path"] = "../../outside.mlmodel"
    _write_index(package, index)


def _more_files(name: str) -> Callable[[Path], None]:
    def change(package: Path) -> None:
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_bytes(b"more")

    return change


def _link(package: Path) -> None:
    blob = next(package.rglob("weight.bin"))
    outside = package.parent / "outside.bin"
    shutil.move(blob, outside)
    blob.symlink_to(outside)


def _link_to_the_model(package: Path) -> None:
    model = next(package.rglob("model.mlmodel"))
    outside = package.parent / "outside.mlmodel"
    shutil.move(model, outside)
    model.symlink_to(outside)


PACKAGES: dict[str, Callable[[Path], None]] = {
    "a root elsewhere": lambda package: _move_root(package, "com.evil/model.mlmodel"),
    "a root below": lambda package: _move_root(package, "com.apple.CoreML/inner/model.mlmodel"),
    "a root beside": lambda package: _move_root(package, "com.apple.CoreML/other.mlmodel"),
    "a root of the package": lambda package: _move_root(package, "model.mlmodel"),
    "a root outside": _root_outside,
    "a second model": _second_item("com.apple.CoreML/second.mlmodel"),
    "a second model elsewhere": _second_item("com.evil/model.mlmodel"),
    "an item outside": _second_item("../more.bin"),
    "a file that no item names": _more_files("Data/com.apple.CoreML/weights/other.bin"),
    "a file at the top": _more_files("run.sh"),
    "a compiled model": _more_files("Data/com.apple.CoreML/model.mlmodelc/model.mil"),
    "weights by a link": _link,
    "a model by a link": _link_to_the_model,
}
