"""The Python API: what `import azx` gives, and what it costs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import azx


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
