"""How the iOS app's Swift is found: this machine's first, else a folder with Debian 13, else a reason is given."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

# What the script itself is made of.
SHELL_TOOLS = ("bash", "dirname", "cksum", "cut")


@pytest.fixture
def script(repository: Path) -> Path:
    return repository / "apps" / "ios" / "tools" / "swift.sh"


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder that is a whole PATH, of what every machine has."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in SHELL_TOOLS:
        found = shutil.which(name)
        assert found is not None
        (folder / name).symlink_to(found)
    return folder


def run(script: Path, tools: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": str(tools), "HOME": str(tools.parent)}
    return subprocess.run([script, *arguments], env=environment, capture_output=True, text=True, check=False)


def test_the_swift_on_path_is_taken_and_runs_in_the_app(script: Path, tools: Path) -> None:
    swift = tools / "swift"
    swift.write_text('#!/usr/bin/env bash\necho "$PWD: $*"\nexit 7\n')
    swift.chmod(0o755)
    assert run(script, tools, "--check").returncode == 0
    result = run(script, tools, "test", "--filter", "a b")
    assert (result.returncode, result.stdout) == (7, f"{script.parent.parent}: test --filter a b\n")


def test_a_machine_on_which_it_cannot_run_is_told_why(script: Path, tools: Path) -> None:
    for arguments in (["--check"], ["test"]):
        result = run(script, tools, *arguments)
        assert result.returncode == 3, result.stderr
        expected = "there is no apt-get\n" if os.geteuid() == 0 else "only root can run it in a folder with Debian 13\n"
        assert result.stdout.startswith("swift is not on PATH, and ")
        assert result.stdout.endswith(expected)
    assert [path.name for path in tools.parent.iterdir()] == ["bin"]


@pytest.fixture
def mac(tools: Path) -> Path:
    """The tools of a Mac, as far as tools/xcode.sh asks for them: xcodebuild says what it was called with."""
    (tools / "python3").symlink_to(sys.executable)
    simulators = {
        "com.apple.CoreSimulator.SimRuntime.iOS-16-4": [{"name": "iPhone 14", "udid": "OLD"}],
        "com.apple.CoreSimulator.SimRuntime.iOS-18-5": [
            {"name": "iPad Pro", "udid": "PAD"},
            {"name": "iPhone 16", "udid": "PHONE"},
            {"name": "iPhone 16 Plus", "udid": "PLUS"},
        ],
        "com.apple.CoreSimulator.SimRuntime.iOS-18-10": [{"name": "iPad Pro", "udid": "NEWER"}],
        "com.apple.CoreSimulator.SimRuntime.iOS-17-10": [{"name": "iPhone 15", "udid": "OLDER"}],
        "com.apple.CoreSimulator.SimRuntime.watchOS-26-0": [{"name": "iPhone of a watch", "udid": "WATCH"}],
    }
    (tools.parent / "simulators.json").write_text(json.dumps({"devices": simulators}) + "\n")
    fakes = {
        "xcrun": 'while read -r line; do echo "$line"; done < "$HOME/simulators.json"',
        "xcodebuild": 'printf "%s\\n" "$PWD" "$@"; exit 65',
    }
    for name, body in fakes.items():
        (tools / name).write_text(f"#!/usr/bin/env bash\n{body}\n")
        (tools / name).chmod(0o755)
    return tools


@pytest.fixture
def xcode(script: Path) -> Path:
    return script.parent / "xcode.sh"


def test_the_newest_iphone_tests_the_app_and_how_it_ends_is_told(xcode: Path, mac: Path) -> None:
    result = run(xcode, mac)
    assert (result.returncode, result.stderr) == (65, "")
    folder, *arguments = result.stdout.splitlines()
    assert folder == str(xcode.parent.parent)
    assert arguments[arguments.index("-destination") + 1] == "platform=iOS Simulator,id=PHONE"
    project, scheme = (arguments[arguments.index(name) + 1] for name in ("-project", "-scheme"))
    assert (xcode.parent.parent / project / "xcshareddata" / "xcschemes" / f"{scheme}.xcscheme").is_file()
    assert arguments[-2:] == ["CODE_SIGNING_ALLOWED=NO", "test"]
    assert run(xcode, mac, "clean", "build").stdout.splitlines()[-2:] == ["clean", "build"]


def test_pictures_are_taken_on_a_phone_and_on_a_tablet(xcode: Path, mac: Path) -> None:
    environment = {"PATH": str(mac), "HOME": str(mac.parent), "AZX_DEVICE": "iPad", "AZX_SCHEME": "AzxPictures"}
    result = subprocess.run([xcode, "test"], env=environment, capture_output=True, text=True, check=False)
    arguments = result.stdout.splitlines()
    assert arguments[arguments.index("-destination") + 1] == "platform=iOS Simulator,id=NEWER"
    assert arguments[arguments.index("-scheme") + 1] == "AzxPictures"


def test_a_machine_without_xcode_or_without_a_simulator_is_told(xcode: Path, tools: Path, mac: Path) -> None:
    (mac.parent / "simulators.json").write_text('{"devices": {}}\n')
    result = run(xcode, mac)
    assert (result.returncode, result.stdout) == (3, "")
    assert result.stderr.startswith("this Mac has no simulator of an iPhone")
    (tools / "xcodebuild").unlink()
    result = run(xcode, tools)
    assert (result.returncode, result.stdout) == (3, "")
    assert result.stderr.startswith("xcodebuild is not on PATH")
