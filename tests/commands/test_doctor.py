"""`azx doctor`: what works here and what would add the rest."""

from __future__ import annotations

import json
import platform
import shutil
from importlib import metadata
from pathlib import Path

import pytest
from click.testing import CliRunner

from azx.cli import cli
from azx.export.formats.table import FORMATS
from azx.system.installed import of_azx, quote
from azx.validate import runtimes
from azx.validate.runners import tfjs_packages
from azx.validate.runtimes import ABILITIES, Kind, Status, statuses


def status_of(name: str) -> Status:
    return next(status for status in statuses() if status.name == name)


def hide(monkeypatch: pytest.MonkeyPatch, *distributions: str) -> None:
    """Make `distributions` look as if they were not installed."""
    real = metadata.version

    def version(name: str) -> str:
        if name in distributions:
            raise metadata.PackageNotFoundError(name)
        return real(name)

    monkeypatch.setattr(metadata, "version", version)
    monkeypatch.setattr(runtimes, "find_spec", lambda module: None)


def test_the_table_names_each_format_and_a_runtime_for_each() -> None:
    names = [ability.name for ability in ABILITIES if ability.kind == Kind.FORMAT]
    assert names == ["pb", "tflite", "onnx", "coreml", "tfjs", "coreai"]
    assert set(names) == set(FORMATS)
    assert len({ability.name for ability in ABILITIES}) == len(ABILITIES)


@pytest.mark.smoke
def test_doctor_prints_every_ability_and_ends_with_0() -> None:
    result = CliRunner().invoke(cli, ["doctor"])
    assert result.exit_code == 0
    assert [ability.name for ability in ABILITIES if ability.name not in result.output] == []


@pytest.mark.smoke
def test_doctor_prints_the_same_as_json() -> None:
    result = CliRunner().invoke(cli, ["doctor", "--json"])
    told = json.loads(result.output)
    assert result.exit_code == 0
    assert [ability["name"] for ability in told["abilities"]] == [ability.name for ability in ABILITIES]
    assert told["cores"] >= 1


def test_tfjs_needs_tensorflow_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "tensorflowjs", "tf2onnx")
    assert status_of("tfjs").available
    assert not status_of("onnx").available
    hide(monkeypatch, "tensorflow")
    tfjs = status_of("tfjs")
    assert not tfjs.available
    assert tfjs.versions == {"tensorflow": None}
    assert [line.split(" install ")[1] for line in tfjs.add] == [quote(of_azx("export"))]


def test_a_missing_package_is_printed_once_with_the_command_that_adds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "coremltools")
    result = CliRunner().invoke(cli, ["doctor"])
    assert result.exit_code == 0
    assert result.output.count(f"install {quote(of_azx('export'))}") == 1
    assert "coremltools missing" in result.output


def test_a_build_under_another_name_counts_by_its_module(monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "tensorflow")
    monkeypatch.setattr(runtimes, "find_spec", lambda module: module == "tensorflow" or None)
    assert status_of("TensorFlow").versions == {"tensorflow": "unknown version"}


def test_without_node_the_command_says_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    node = status_of("TF.js in Node")
    assert not node.available
    assert node.add[0] == "install Node.js 18 or newer, with npm"


def test_without_the_npm_packages_the_command_names_their_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shutil.copy(tfjs_packages.PROJECT / "package.json", tmp_path)
    monkeypatch.setattr(tfjs_packages, "PROJECT", tmp_path)
    assert status_of("TF.js in Node").add[-1] == f"npm ci --prefix {tmp_path}"


def test_packages_in_the_folder_that_the_environment_names_count_as_they_do_for_a_proof(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("AZX_TFJS_NODE", str(tmp_path))
    assert status_of("TF.js in Node").versions["@tensorflow/tfjs"] is None
    for name, version in tfjs_packages.wanted_packages().items():
        package = tmp_path / "node_modules" / name / "package.json"
        package.parent.mkdir(parents=True)
        package.write_text(json.dumps({"version": version}))
    assert status_of("TF.js in Node").versions["@tensorflow/tfjs"] == "4.22.0"


def test_litert_js_is_a_package_that_tfjs_does_without(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("AZX_TFJS_NODE", str(tmp_path))
    for name, version in tfjs_packages.wanted_packages().items():
        package = tmp_path / "node_modules" / name / "package.json"
        package.parent.mkdir(parents=True)
        package.write_text(json.dumps({"version": version}))
    assert status_of("TF.js in Node").versions["@tensorflow/tfjs"] == "4.22.0"
    lacking = status_of("LiteRT.js in Node")
    assert lacking.versions["@litertjs/core"] is None
    assert lacking.add[-1].endswith(f"npm ci --prefix {tmp_path}")


def test_the_page_and_the_proof_have_the_same_litert_js(repository: Path) -> None:
    page = json.loads((repository / "apps" / "web" / "package.json").read_text(encoding="utf-8"))
    assert tfjs_packages.wanted_of_litert() == {"@litertjs/core": page["dependencies"]["@litertjs/core"]}


def test_core_ml_itself_needs_macos(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "mac_ver", lambda: ("", ("", "", ""), ""))
    assert not status_of("Core ML").available
    monkeypatch.setattr(platform, "mac_ver", lambda: ("15.1", ("", "", ""), "arm64"))
    assert status_of("Core ML").available


def test_each_missing_thing_stands_before_what_adds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "onnxruntime", "ai-edge-litert")
    lines = CliRunner().invoke(cli, ["doctor"]).output.partition("To add what is missing:\n")[2].splitlines()
    for name in ("LiteRT", "ONNX Runtime"):
        [line] = [line for line in lines if name in line.partition(":")[0].strip().split(", ")]
        assert "pip install " in line


def test_node_is_added_by_a_package_manager_that_is_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}" if name == "dnf" else None)
    assert runtimes._add_node().startswith("dnf install nodejs npm (Node.js ")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert runtimes._add_node().startswith("install Node.js ")
