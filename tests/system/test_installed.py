"""What is missing, and what pip is asked for: the extra, from where this azx came."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from azx.system import installed

Installed = Callable[..., None]


class Distribution:
    """azx as pip may have installed it."""

    def __init__(self, noted: dict[str, Any] | None) -> None:
        self.noted = noted

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return None if self.noted is None else json.dumps(self.noted)


@pytest.fixture
def came(monkeypatch: pytest.MonkeyPatch) -> Installed:
    """Installs azx from somewhere."""

    def install(noted: dict[str, Any] | None) -> None:
        monkeypatch.setattr(metadata, "distribution", lambda name: Distribution(noted))

    return install


def test_from_an_index_the_extra_has_the_bare_name(came: Installed) -> None:
    came(None)
    assert installed.missing("no_such_thing") == "no-such-thing is not installed: pip install no-such-thing"
    assert (
        installed.missing("no_such_thing", "play") == 'no-such-thing is not installed: pip install "azx-export[play]"'
    )
    assert installed.brought_by("onnxruntime") == "azx-export[play]"
    assert installed.brought_by("tf_keras") == "azx-export[export]"
    assert installed.missing("json") is None
    # pip knows it by another name than Python, and the extra has it for some systems alone.
    assert installed.distribution("coreai") == "coreai-core"
    assert installed.brought_by("coreai") in ("azx-export[coreai]", None)


def test_from_a_wheel_it_is_that_wheel_for_an_index_may_know_another_azx(came: Installed, tmp_path: Path) -> None:
    wheel = tmp_path / "my wheels" / "azx_export-0.1.0-py3-none-any.whl"
    wheel.parent.mkdir()
    wheel.touch()
    came({"url": wheel.as_uri(), "archive_info": {}})
    assert installed.quote(installed.of_azx("play")) == f'"{wheel}[play]"'
    wheel.unlink()
    assert installed.of_azx("play") == "azx-export[play]"


def test_from_a_source_tree_it_stays_that_tree(came: Installed, tmp_path: Path) -> None:
    came({"url": tmp_path.as_uri(), "dir_info": {"editable": True}})
    assert installed.quote(installed.of_azx("export")) == f'-e "{tmp_path}[export]"'


def test_from_a_repository_it_is_that_address(came: Installed) -> None:
    came({"url": "https://example.org/azx.git", "vcs_info": {"vcs": "git"}})
    assert installed.quote(installed.of_azx("export")) == '"azx-export[export] @ https://example.org/azx.git"'


def test_what_has_no_wheel_for_this_system_is_not_to_be_added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "find_spec", lambda name: None)
    monkeypatch.setattr("packaging.markers.default_environment", lambda: {**ENVIRONMENT, "sys_platform": "win32"})
    assert installed.missing("coremltools") == "coremltools is not made for this system"
    assert str(installed.missing("tensorflow")).startswith("tensorflow is not installed: pip install ")


ENVIRONMENT = {"python_version": "3.12", "python_full_version": "3.12.1", "platform_machine": "AMD64"}
