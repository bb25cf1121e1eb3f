"""`azx.load`: the network of a bundle as a function, with NumPy and one runtime."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import azx
from azx.bundle.contents.golden import read_golden
from azx.bundle.contents.manifest import heads_in, load_manifest
from azx.errors import AzxError, BundleError, GameError, NotRunHere

# What an installation that only plays does not have; Python finds none of it.
WITHOUT_TENSORFLOW = """
from importlib.machinery import PathFinder
absent = "tensorflow keras tf_keras loky threadpoolctl ai_edge_litert coremltools tf2onnx platformdirs joblib"
find = PathFinder.find_spec
PathFinder.find_spec = lambda name, *rest: None if name.split(".")[0] in absent.split() else find(name, *rest)
"""


@pytest.fixture
def shown(small_bundle: Path) -> tuple[np.ndarray[Any, Any], dict[str, Any]]:
    """The golden positions of the small bundle and what every artifact must answer."""
    heads = heads_in(load_manifest(small_bundle))
    golden = read_golden(small_bundle, {"main_input": (2, 6, 7)}, heads)
    return golden.positions.feeds["main_input"], golden.answers


def in_another_python(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_TENSORFLOW + code], capture_output=True, text=True, cwd=folder, check=False
    )


@pytest.mark.parametrize("format_name", [None, "onnx", "tflite", "pb", "tfjs", "coreml"])
def test_every_format_answers_as_the_original(
    format_name: str | None, small_bundle: Path, shown: tuple[Any, dict[str, Any]]
) -> None:
    planes, answers = shown
    with azx.load(small_bundle, format=format_name) as network:
        assert network.format == (format_name or "onnx")
        heads = network.predict(planes)
        assert list(heads) == ["value_head", "policy_head"] == [head.name for head in network.outputs]
        assert [(port.name, port.shape) for port in network.inputs] == [("main_input", (1, 2, 6, 7))]
        assert network.manifest["name"] == "small net é"
        assert network.runtime
    for name, wanted in answers.items():
        assert (heads[name].dtype.name, heads[name].shape) == ("float32", wanted.shape)
        np.testing.assert_allclose(heads[name], wanted, atol=2e-5)


def test_any_batch_is_answered_none_too(small_bundle: Path, shown: tuple[Any, dict[str, Any]]) -> None:
    planes, answers = shown
    network = azx.load(small_bundle)
    value = network.predict({"main_input": planes[:1]})["value_head"]
    np.testing.assert_allclose(value, answers["value_head"][:1], atol=2e-5)
    assert {name: answer.shape for name, answer in network.predict(planes[:0]).items()} == {
        "value_head": (0, 1),
        "policy_head": (0, 42),
    }


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda x: x[0], r"the shape \(2, 6, 7\): give float32 \(batch, 2, 6, 7\), for one position planes\[None\]"),
        (lambda x: x[:, :, :5], r"has the shape \(20, 2, 5, 7\): give float32 \(batch, 2, 6, 7\)\."),
        (lambda x: x.astype("complex64"), r"holds no real numbers \(ndarray\): give float32 \(batch, 2, 6, 7\)"),
        (lambda x: [["a"]], r"holds no real numbers \(list\): give float32"),
        (lambda x: [[1], [1, 2]], r"is not an array \(list, .*\): give float32 \(batch, 2, 6, 7\)"),
        (lambda x: {"board": x}, r"input 'main_input' is missing: give main_input"),
        (lambda x: {"main_input": x, "more": x}, r"input 'more' is not an input of the network: give main_input"),
    ],
)
def test_wrong_planes_are_told_in_a_sentence(
    wrong: Any, said: str, small_bundle: Path, shown: tuple[Any, dict[str, Any]]
) -> None:
    with pytest.raises(GameError, match=said):
        azx.load(small_bundle).predict(wrong(shown[0]))


class OnlyDLPack:
    """An array that speaks DLPack and nothing else."""

    def __init__(self, held: Any) -> None:
        self._held = held

    def __dlpack__(self, **more: Any) -> Any:
        return self._held.__dlpack__(**more)

    def __dlpack_device__(self) -> Any:
        return self._held.__dlpack_device__()


class WithGradient:
    """An array as PyTorch has it: NumPy cannot read it before `detach`."""

    def __init__(self, held: Any) -> None:
        self._held = held

    def __array__(self, *args: Any, **more: Any) -> Any:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad.")

    def detach(self) -> Any:
        return self._held


def tensorflows(planes: Any) -> Any:
    import tensorflow as tf

    return tf.constant(planes)


@pytest.mark.parametrize(
    "kind",
    [
        lambda x: x.tolist(),
        lambda x: tuple(map(list, x)),
        lambda x: x.astype("float64"),
        lambda x: x.astype("int8"),
        lambda x: x.astype(bool),
        lambda x: np.ascontiguousarray(x).data,
        OnlyDLPack,
        WithGradient,
        tensorflows,
    ],
    ids=["list", "tuple", "float64", "int8", "bool", "memoryview", "dlpack", "gradient", "tensorflow"],
)
def test_arrays_of_every_kind_are_answered_alike(
    kind: Any, small_bundle: Path, shown: tuple[Any, dict[str, Any]]
) -> None:
    planes = (shown[0] > 0).astype("float32")
    with azx.load(small_bundle) as network:
        wanted = network.predict(planes)
        for found in (network.predict(kind(planes)), network.predict({"main_input": kind(planes)})):
            assert all(np.array_equal(found[name], wanted[name]) for name in wanted)


def test_a_file_that_is_not_the_recorded_one_is_not_opened(bundle: Path) -> None:
    artifact = bundle / "small net é.onnx"
    artifact.write_bytes(artifact.read_bytes()[:-1] + b"\0")
    with pytest.raises(BundleError, match=r"onnx' is not the file that the bundle's manifest records \(its SHA-256"):
        azx.load(bundle)
    assert azx.load(bundle, format="tflite").format == "tflite"


def test_what_a_bundle_has_not_is_told_in_a_sentence(bundle: Path, tmp_path: Path) -> None:
    with pytest.raises(AzxError, match="There is no format 'onxx': did you mean 'onnx'"):
        azx.load(bundle, format="onxx")
    manifest = json.loads((bundle / "manifest.json").read_text(encoding="utf8"))
    manifest["artifacts"] = [entry for entry in manifest["artifacts"] if entry["format"] != "pb"]
    manifest["recommended"].pop("server")
    (bundle / "manifest.json").write_text(json.dumps(manifest), encoding="utf8")
    with pytest.raises(BundleError, match="holds no pb artifact: choose one of onnx, tflite, tfjs, coreml, or export"):
        azx.load(bundle, format="pb")
    with pytest.raises(BundleError, match="There is no bundle at"):
        azx.load(tmp_path / "nowhere")


def test_several_inputs_are_a_mapping(tmp_path: Path, check: Any) -> None:
    import tf_keras
    from tf_keras import layers

    one, two = layers.Input((4,), name="one"), layers.Input((3,), name="two")
    both = layers.Concatenate()([one, two])
    heads = [layers.Dense(1, activation="tanh", name="value")(both), layers.Dense(5, name="policy")(both)]
    path = check.save_h5(tf_keras.Model([one, two], heads), tmp_path / "net.h5")
    azx.export_checkpoint(path, output=tmp_path / "out", formats="onnx", batch=None, count=20)
    network = azx.load(tmp_path / "out")
    planes = {name: np.ones((130, size), "float32") for name, size in (("one", 4), ("two", 3))}
    assert network.predict(planes)["policy_head"].shape == (130, 5)
    with pytest.raises(GameError, match="has the inputs 'one', 'two': give a mapping with an array for each"):
        network.predict(planes["one"])
    with pytest.raises(GameError, match="the inputs have different batches: give each as many positions"):
        network.predict(planes | {"two": planes["two"][:9]})


def test_numpy_and_onnx_runtime_are_enough(small_bundle: Path) -> None:
    code = f"""
import sys, azx, numpy as np
network = azx.load({str(small_bundle)!r})
print(network.format, network.predict(np.zeros((2, 2, 6, 7), "float32"))["policy_head"].shape)
print(sorted({{name.split(".")[0] for name in sys.modules}} & {{"tensorflow", "keras", "tf_keras", "pydantic"}}))
"""
    done = in_another_python(code, small_bundle.parent)
    assert done.stdout.splitlines() == ["onnx (2, 42)", "[]"], done.stderr


@pytest.mark.parametrize("format_name", ["onnx", "tflite"])
def test_no_tensorflow_is_imported_where_it_is_not_needed(format_name: str, small_bundle: Path) -> None:
    code = f"""
import sys, azx, numpy as np
azx.load({str(small_bundle)!r}, format={format_name!r}).predict(np.zeros((1, 2, 6, 7), "float32"))
print("tensorflow" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["False"], done.stderr


def test_a_runtime_that_is_not_installed_is_told_with_how_to_add_it(small_bundle: Path) -> None:
    code = f"""
import azx
try:
    azx.load({str(small_bundle)!r}, format="tflite")
except azx.AzxError as error:
    print(type(error).__name__, error)
"""
    done = in_another_python(code, small_bundle.parent)
    said = done.stdout.strip()
    assert said.startswith(NotRunHere.__name__), done.stderr
    assert "tflite' cannot be run here: ai-edge-litert is not installed: pip install " in said
    assert said.endswith('[export]".')


def test_a_bundle_that_was_moved_is_still_loaded(small_bundle: Path, tmp_path: Path) -> None:
    moved = shutil.copytree(small_bundle, tmp_path / "elsewhere")
    assert azx.load(str(moved)).path.parent == moved
