"""The Python API: what `import azx` gives, and what it costs."""

from __future__ import annotations

import dataclasses
import inspect
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import azx
from azx.bundle.case.checkpoint import as_checkpoint
from azx.bundle.case.settings import as_settings
from azx.bundle.claims.findings import Claims
from azx.bundle.contents.manifest import load_manifest
from azx.bundle.export import ExportResult
from azx.bundle.validate import ValidateResult
from azx.cli import COMMANDS
from azx.validate.gate.limits import limits_from
from azx.validate.proof.proof import Proof


@pytest.mark.smoke
def test_every_public_name_is_there_and_documented() -> None:
    for name in azx.__all__:
        assert getattr(azx, name) is not None
        assert name == "__version__" or getattr(azx, name).__doc__


@pytest.mark.smoke
def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'exprot_checkpoint'"):
        azx.exprot_checkpoint  # noqa: B018


@pytest.mark.smoke
def test_importing_azx_loads_nothing_heavy(tmp_path: Path) -> None:
    code = "import azx, json, sys; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert {name.split(".")[0] for name in json.loads(done.stdout)} & {"numpy", "h5py", "tensorflow", "rich"} == set()


@pytest.mark.whole
def test_a_plain_script_can_export_without_a_main_guard(tmp_path: Path) -> None:
    """The workers must not run the user's script again, as spawned processes usually do."""
    script = tmp_path / "script.py"
    script.write_text(
        "import azx\n"
        "print('once')\n"
        "done = azx.export_checkpoint('connect4', output='out', formats=('pb',), count=20)\n"
        "print(done.proof.passed, azx.validate_bundle('out').proof.passed)\n",
        encoding="utf8",
    )
    done = subprocess.run([sys.executable, "script.py"], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.stdout.splitlines() == ["once", "True True"], done.stderr


SCRIPT = """
import numpy as np
import azx

done = azx.export_checkpoint("connect4", output="out", formats="onnx", batch=None, encoding="own.json", count=20)
passed: bool = done.proof.passed
seconds: float = azx.validate_bundle("out", against="connect4", count=5).seconds
with azx.load("out", format="onnx") as network:
    value = network.predict(np.zeros((1, 2, 6, 7), np.float32))["value_head"]
    network.predict([[[[0.0] * 7] * 6] * 2])
    names: list[str] = [head.name for head in network.outputs]
azx.inspect_checkpoint("net.h5", board=(9, 9)).parameters
azx.export_checkpoint(azx.Checkpoint("net.h5", config="net.json"), azx.Settings(formats=("onnx",)))
"""
# What is added to the script, and the error that mypy has for it.
WRONG = {
    'azx.export_checkpoint("connect4", formatz="onnx")': 'Unexpected keyword argument "formatz"',
    'azx.export_checkpoint("connect4", count="20")': 'Argument "count" to "export_checkpoint" has incompatible',
    "azx.export_checkpoint(20)": 'Argument 1 to "export_checkpoint" has incompatible type "int"',
    'azx.validate_bundle("out", position=5)': 'Unexpected keyword argument "position"',
    'azx.load("out", fmt="onnx")': 'Unexpected keyword argument "fmt"',
    "network.predict(network)": 'Argument 1 to "predict" of "BundledNetwork" has incompatible type "BundledNetwork"',
}


@pytest.mark.whole
def test_a_users_script_is_checked_by_mypy(repository: Path, tmp_path: Path) -> None:
    """The right one passes --strict; each wrong keyword or type is an error at its line, and there is no other."""
    pytest.importorskip("mypy")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "azx").symlink_to(repository, target_is_directory=True)
    (tmp_path / "script.py").write_text(SCRIPT + "\n".join(WRONG) + "\n", encoding="utf8")
    options = [
        "--strict",
        "--follow-imports=silent",
        "--cache-dir",
        str(tmp_path / "cache"),
        "--config-file",
        os.devnull,
    ]
    environment = {**os.environ, "MYPYPATH": str(tmp_path / "site")}
    command = [sys.executable, "-m", "mypy", *options, "script.py"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=environment, check=False)
    first = SCRIPT.count("\n") + 1
    errors = [line for line in done.stdout.splitlines() if ": error: " in line]
    assert len(errors) == len(WRONG), done.stdout + done.stderr
    for line, (error, said) in enumerate(zip(errors, WRONG.values(), strict=True), first):
        assert error.startswith(f"script.py:{line}: error: {said}")


FUNCTIONS = (
    azx.export_checkpoint,
    azx.validate_bundle,
    azx.inspect_checkpoint,
    azx.report_bundle,
    azx.read_checkpoint,
    azx.load,
)


def test_every_parameter_is_named_typed_and_documented() -> None:
    for function in FUNCTIONS:
        for name, parameter in inspect.signature(function).parameters.items():
            assert not re.search(r"\bAny\b", str(parameter.annotation))
            assert f"\n    {name}: " in inspect.cleandoc(str(function.__doc__)), f"{function.__name__}: {name}?"


def test_every_member_of_settings_and_checkpoint_is_told_of() -> None:
    for kind in (azx.Settings, azx.Checkpoint):
        for field in dataclasses.fields(kind):
            assert f"\n    {field.name}: " in str(kind.__doc__), f"{kind.__name__} does not tell of {field.name}"


def test_keywords_and_values_say_the_same() -> None:
    told = as_settings(formats="onnx", without=["pb"], encoding="own.json", precision="fp16", limits={"margin": 0.2})
    limits = limits_from({"margin": 0.2})
    assert told == azx.Settings(("onnx",), ("pb",), encoding=Path("own.json"), precisions=("fp16",), gate=limits)
    assert as_settings(limits=["margin=0.2"]) == azx.Settings(gate=limits)
    assert as_settings() == azx.Settings()
    checkpoint = azx.Checkpoint("net.h5", builder="made:net")
    assert as_checkpoint("net.h5", builder="made:net") == checkpoint == as_checkpoint(checkpoint)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"board": "9x9"}, "board is '9x9': give rows and columns as whole numbers, as (9, 9)."),
        ({"board": 9}, "board is 9: give rows and columns"),
        ({"board": (9.0, 9.0)}, "board is (9.0, 9.0): give rows and columns"),
        ({"board": (0, 9)}, "board is (0, 9): give rows and columns"),
        ({"board": (True, 3)}, "board is (True, 3): give rows and columns"),
        ({"builder": len}, "builder is <built-in function len>: give a text, as 'MODULE:FUNCTION' or"),
        ({"config": {"layers": []}}, "config is {'layers': []}: give the path of the architecture's JSON or YAML."),
        ({"preset": 3}, "preset is 3: give the name of a family of networks, as 'zeta36'."),
        ({"allow_code": "no"}, "allow_code is 'no': give True or False."),
        (
            {"path": 3},
            "A checkpoint is a path, a shipped network's name or a Keras model, and this is of the type int: ",
        ),
        (
            {"path": ["a.h5"]},
            "A checkpoint is a path, a shipped network's name or a Keras model, and this is of the type ",
        ),
    ],
)
def test_a_checkpoint_says_at_once_what_an_option_takes(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(azx.AzxError) as error:
        azx.Checkpoint(**{"path": "net.h5", **wrong})
    assert str(error.value).startswith(said)
    if "path" not in wrong:
        with pytest.raises(azx.AzxError) as error:
            azx.read_checkpoint("net.h5", **wrong)
        assert str(error.value).startswith(said)


def test_a_shipped_network_is_inspected_by_its_name() -> None:
    assert azx.inspect_checkpoint(azx.Checkpoint("tictactoe")).game == "tictactoe"


def test_what_a_value_says_is_not_said_beside_it() -> None:
    with pytest.raises(azx.AzxError, match="Settings are given already: put formats into them"):
        azx.export_checkpoint("connect4", azx.Settings(), formats="onnx")
    with pytest.raises(azx.AzxError, match="put builder into it"):
        azx.validate_bundle("out", against=azx.Checkpoint("connect4"), builder="made:net")


@pytest.mark.whole
def test_an_export_of_values_is_validated_by_warm_workers(small_checkpoint: Path, tmp_path: Path) -> None:
    settings = azx.Settings(formats=("onnx",), count=20, report=False, noted=False)
    with azx.Workers() as loaded:
        done = azx.export_checkpoint(azx.Checkpoint(small_checkpoint), settings, output=tmp_path, workers=loaded)
        for against in (None, azx.Checkpoint(small_checkpoint)):
            assert azx.validate_bundle(tmp_path, against=against, workers=loaded).passed
    assert done.proof.passed
    assert not (tmp_path / "report.html").exists()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"count": 0}, "count is 0: give a whole number from 1 on."),
        ({"batch": -1}, "batch is -1: give a whole number from 1 on."),
        ({"seed": -1}, "seed is -1: give a whole number from 0 on."),
        ({"opset": 99}, "opset is 99: give 13 to 18."),
        ({"formats": "onxx"}, "There is no format 'onxx': did you mean 'onnx'?"),
    ],
)
def test_a_number_out_of_its_range_is_told_in_a_sentence(wrong: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(azx.AzxError, match=f"^{said.replace('?', '[?]')}"):
        azx.export_checkpoint("connect4", output=tmp_path / "out", **wrong)
    assert list(tmp_path.iterdir()) == []


def test_what_a_notebook_shows_is_one_line(small_bundle: Path) -> None:
    with azx.load(small_bundle) as network:
        assert repr(network) == f"BundledNetwork('{network.path}': {network.runtime}, connect4)"
    contents = load_manifest(small_bundle)
    formats = ", ".join(dict.fromkeys(artifact.format for artifact in contents.artifacts))
    nothing = Proof("net", 0, "", "", (), ())
    made = ExportResult(small_bundle, contents, nothing, {}, (), None, (), 1.0)
    assert repr(made) == f"ExportResult('{small_bundle}': {formats}; failed)"
    held = ValidateResult(small_bundle, contents, nothing, 1.0, Claims("its checkpoint"))
    assert repr(held) == f"ValidateResult('{small_bundle}': {formats}; failed)"


# What a program calls instead of each verb. Help and completion are of the command line alone.
BY_VERB = {
    "train": "train_network",
    "export": "export_checkpoint",
    "sweep": "sweep_checkpoints",
    "watch": "watch_folder",
    "validate": "validate_bundle",
    "bench": "bench_bundles",
    "explain": "explain_bundle",
    "report": "report_bundle",
    "install": "install_bundle",
    "serve": "serve_networks",
    "page": "write_page",
    "apk": "write_apk",
    "inspect": "inspect_checkpoint",
    "describe": "describe_network",
    "play": "play_game",
    "engine": "run_engine",
    "match": "match_networks",
    "tune": "tune_search",
    "games": "list_games",
    "doctor": "list_runtimes",
}


def test_every_verb_is_a_function() -> None:
    assert BY_VERB.keys() == COMMANDS.keys() - {"help", "completion"}
    assert set(BY_VERB.values()) <= set(azx.__all__)
    assert all(callable(getattr(azx, name)) for name in BY_VERB.values())


@pytest.mark.parametrize(("verb", "function"), BY_VERB.items())
def test_a_command_calls_the_function_of_its_verb(verb: str, function: str, repository: Path) -> None:
    """What it parses goes to that function; two have another name in the module that a command takes them from."""
    called = {"install_bundle": "apps.install", "list_runtimes": "statuses"}.get(function, function)
    assert re.search(rf"\b{re.escape(called)}[(,]", (repository / "commands" / f"{verb}.py").read_text(encoding="utf8"))


@pytest.mark.parametrize("function", [*BY_VERB.values(), "open_player", "match_engine"])
def test_every_keyword_of_a_verb_is_documented(function: str) -> None:
    called = getattr(azx, function)
    text = inspect.cleandoc(str(called.__doc__))
    # What `help` shows of it: no ** whose names it hides, no function at an address.
    assert not re.search(r"Unpack| at 0x|\*\*", str(inspect.signature(called)))
    for name, parameter in inspect.signature(called).parameters.items():
        if parameter.kind is not parameter.VAR_POSITIONAL:
            assert str(parameter.annotation) != "Any"
            assert f"\n    {name}: " in text, f"{function}: {name}?"
