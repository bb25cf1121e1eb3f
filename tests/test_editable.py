"""An editable install is typed: type checkers find azx by a folder of links, which Python itself never imports."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = """
import azx

done = azx.export_checkpoint("connect4", formats="onnx")
reveal_type(done)
reveal_type(azx.match_networks(["a", "b"]).pairings[0].elo)
azx.export_checkpoint(20)
"""


@pytest.fixture
def backend(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """requirements/backend.py, with the links in a folder of the test's own."""
    spec = importlib.util.spec_from_file_location("backend", repository / "requirements" / "backend.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "PLACE", tmp_path / "types")
    if not module.link_types():
        pytest.skip("this system allows no links")
    return module


def test_the_links_are_azx_and_nothing_beside_it(backend: ModuleType, repository: Path) -> None:
    stubs = backend.PLACE / "azx-stubs"
    assert {"__init__.pyi", "py.typed", "errors.py", "bundle", "validate"} <= {path.name for path in stubs.iterdir()}
    assert not {"tests", "build", "apps", "__init__.py"} & {path.name for path in stubs.iterdir()}
    assert (stubs / "__init__.pyi").resolve() == repository / "__init__.py"
    assert all(path.is_symlink() and path.exists() for path in stubs.iterdir())
    # Made anew: a room that has gone leaves no link.
    (stubs / "gone").symlink_to("nowhere")
    assert backend.link_types()
    assert not (stubs / "gone").is_symlink()


def test_a_wheel_lists_the_file_that_was_added(backend: ModuleType, tmp_path: Path) -> None:
    wheel = tmp_path / "azx.whl"
    with zipfile.ZipFile(wheel, "w") as made:
        made.writestr("azx-1.dist-info/RECORD", "azx-1.dist-info/RECORD,,\n")
    backend.add_file(wheel, "types.pth", b"/somewhere\n")
    with zipfile.ZipFile(wheel) as found:
        assert found.read("types.pth") == b"/somewhere\n"
        lines = found.read("azx-1.dist-info/RECORD").decode().splitlines()
    assert [line.split(",")[0] for line in lines] == ["azx-1.dist-info/RECORD", "types.pth"]
    assert lines[1].endswith(",11")


def test_the_backend_comes_with_the_sources(repository: Path) -> None:
    assert "include requirements/backend.py" in (repository / "MANIFEST.in").read_text(encoding="utf8")


@pytest.mark.whole
def test_mypy_finds_the_types_of_an_editable_install(backend: ModuleType, tmp_path: Path) -> None:
    """In an environment with the .pth file that the install writes, and from a folder outside the checkout."""
    pytest.importorskip("mypy")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "env"], check=True)
    (site,) = (tmp_path / "env").rglob("site-packages")
    (site / backend.PATHS).write_text(f"{backend.PLACE}\n", encoding="utf8")
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf8")
    python = next((tmp_path / "env").glob("[bS]*/python*"))
    how = [
        "--strict",
        "--python-executable",
        str(python),
        "--config-file",
        os.devnull,
        "--cache-dir",
        str(tmp_path / "c"),
    ]
    command = [sys.executable, "-m", "mypy", *how, "script.py"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    said = [line for line in done.stdout.splitlines() if line.startswith("script.py")]
    assert [line.partition(": ")[2] for line in said if "arg-type" not in line] == [
        'note: Revealed type is "azx.bundle.export.ExportResult"',
        'note: Revealed type is "azx.match.rating.elo.Interval"',
    ], done.stdout + done.stderr
    assert [line for line in said if 'incompatible type "int"' in line], done.stdout
