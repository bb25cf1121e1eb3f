"""What is packed, locked and named: the wheel has every module, the locks name no host, the checkpoint comes along."""

from __future__ import annotations

import importlib
import itertools
import json
import os
import re
import tomllib
from importlib import metadata, resources
from pathlib import Path
from typing import Any

import pytest
from packaging.markers import Marker
from source_tree import source_files

import azx
from azx.cli import COMMANDS
from azx.version import DISTRIBUTION

LOCKS = ("py311.lock", "py312.lock", "py313.lock")
NOT_PACKED = {"apps", "benchmarks", "docs", "release", "requirements", "tests", "training"}
# What setup installs, by the name that the lock gives it.
NEEDED = {
    "tensorflow": "2.21",
    "tf-keras": "2.21",
    "keras": "3.15",
    "tf2onnx": "1.17",
    "coremltools": "9.",
    "tensorflowjs": "4.22",
}
DEAD = ("tensorflow-decision-forests", "tensorflow-hub", "jax", "jaxlib", "flax")


@pytest.fixture(scope="module")
def project(repository: Path) -> dict[str, Any]:
    return tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))


def locked(lock: Path) -> dict[str, str]:
    return dict(re.findall(r"^([a-z0-9-]+)==([^ ]+)", lock.read_text(encoding="utf-8"), re.MULTILINE))


def folders_with_modules(repository: Path) -> set[str]:
    found = {"azx"}
    for init in source_files(repository, "__init__.py"):
        parts = init.parent.relative_to(repository).parts
        if parts and parts[0] not in NOT_PACKED:
            found.add(".".join(("azx", *parts)))
    return found


def test_the_package_list_is_the_folders_that_have_an_init(project: dict[str, Any], repository: Path) -> None:
    assert set(project["tool"]["setuptools"]["packages"]) == folders_with_modules(repository)


def test_every_folder_of_modules_has_an_init(project: dict[str, Any], repository: Path) -> None:
    packed = set(project["tool"]["setuptools"]["packages"])
    for module in source_files(repository, ".py"):
        parts = module.parent.relative_to(repository).parts
        if not parts or parts[0] in NOT_PACKED:
            continue
        assert ".".join(("azx", *parts)) in packed, f"{module} would be missing from the wheel"


@pytest.mark.smoke
def test_the_version_is_the_same_everywhere(project: dict[str, Any]) -> None:
    assert azx.__version__ == metadata.version("azx-export") == project["project"]["version"]


@pytest.mark.smoke
def test_azx_is_imported_from_the_wheel_when_the_wheel_is_tested() -> None:
    site = os.environ.get("AZX_WHEEL_SITE")
    if site is None:
        pytest.skip("AZX_WHEEL_SITE is not set: `make smoke` sets it")
    assert Path(azx.__file__).parent == Path(site) / "azx"


@pytest.mark.smoke
def test_every_packed_module_is_there(project: dict[str, Any]) -> None:
    for name in project["tool"]["setuptools"]["packages"]:
        assert importlib.import_module(name).__file__


@pytest.mark.smoke
def test_data_files_come_along() -> None:
    assert resources.files("azx").joinpath("py.typed").is_file()
    assert resources.files("azx.mobile_assets.checkpoints").joinpath("connect4.h5").is_file()
    node_runner = resources.files("azx.validate.runners") / "tfjs_node"
    assert all(node_runner.joinpath(name).is_file() for name in ("package.json", "package-lock.json", ".npmrc"))
    assert any(entry.name.endswith(".mjs") for entry in node_runner.iterdir())


def test_the_extras_ask_for_azx_by_the_name_that_pip_knows_it_by(project: dict[str, Any]) -> None:
    assert project["project"]["name"] == DISTRIBUTION == "azx-export"
    entries = [entry for extra in project["project"]["optional-dependencies"].values() for entry in extra]
    own = [entry for entry in entries if entry.startswith("azx")]
    assert own
    assert all(entry.startswith(f"{DISTRIBUTION}[") for entry in own)


@pytest.mark.parametrize("name", ["README.md", "docs/coreai.md", "docs/scaling.md", "docs/sweep.md", "docs/hosting.md"])
def test_no_page_asks_pip_for_the_other_project_called_azx(name: str, repository: Path) -> None:
    text = (repository / name).read_text(encoding="utf-8")
    assert (
        re.findall(r"azx\[|pip install (?:\S*/)?\W?azx\b(?!_|-export)", text.replace("Never `pip install azx`", ""))
        == []
    )


@pytest.mark.smoke
def test_no_node_package_is_packed() -> None:
    files = metadata.files("azx-export") or []
    assert files
    assert not [file for file in files if "node_modules" in file.parts]


@pytest.mark.smoke
def test_the_script_begins_as_the_module_does() -> None:
    (script,) = metadata.entry_points(group="console_scripts", name="azx")
    assert script.value == "azx.__main__:main"


@pytest.mark.smoke
def test_all_names_what_is_there() -> None:
    assert azx.__all__ == sorted(azx.__all__)
    for name in azx.__all__:
        assert getattr(azx, name) is not None


@pytest.mark.parametrize("module", ["azx.cli", "azx.validate.runtimes"])
def test_all_of_a_module_names_what_is_there(module: str) -> None:
    loaded = importlib.import_module(module)
    assert [name for name in loaded.__all__ if not hasattr(loaded, name)] == []


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_hashes_every_package(name: str, repository: Path) -> None:
    text = (repository / "requirements" / name).read_text(encoding="utf-8")
    entries = re.split(r"^(?=[a-z0-9-]+==)", text, flags=re.MULTILINE)[1:]
    assert entries
    assert [entry.split(" ")[0] for entry in entries if "--hash=sha256:" not in entry] == []


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_names_no_host_and_no_machine(name: str, repository: Path) -> None:
    text = (repository / "requirements" / name).read_text(encoding="utf-8")
    assert re.findall(r"https?:|--(?:extra-)?index-url|--find-links|file:|/(?:home|root|tmp|Users)/", text) == []


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_has_the_pinned_converters_and_none_of_the_dead_dependencies(name: str, repository: Path) -> None:
    versions = locked(repository / "requirements" / name)
    assert {package for package, wanted in NEEDED.items() if not versions[package].startswith(wanted)} == set()
    assert [package for package in DEAD if package in versions] == []


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_has_all_that_the_package_depends_on(name: str, project: dict[str, Any], repository: Path) -> None:
    extras = [entry for extra in project["project"]["optional-dependencies"].values() for entry in extra]
    wanted = {re.split(r"[<>=\[; ]", entry)[0] for entry in (*project["project"]["dependencies"], *extras)} - {
        "azx-export"
    }
    apart = set(locked(repository / "requirements" / "coreai.lock"))  # what few systems have a wheel of
    assert wanted - set(locked(repository / "requirements" / name)) - apart == set()


def test_tensorflowjs_is_there_for_tests_alone(project: dict[str, Any], repository: Path) -> None:
    extras = project["project"]["optional-dependencies"]
    asked = [*project["project"]["dependencies"], *itertools.chain.from_iterable(extras.values())]
    assert [entry for entry in asked if entry.startswith("tensorflowjs")] == []
    folders = [repository.joinpath(*name.split(".")[1:]) for name in project["tool"]["setuptools"]["packages"]]
    modules = [path for folder in folders for path in folder.glob("*.py")]
    assert len(modules) > 100
    assert [path for path in modules if "tensorflowjs" in path.read_text(encoding="utf-8")] == []


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_leaves_out_what_a_system_has_no_wheel_of(name: str, repository: Path) -> None:
    text = (repository / "requirements" / name).read_text(encoding="utf-8")
    (marker,) = re.findall(r"^coremltools==\S+ ; (.+) \\$", text, re.MULTILINE)
    systems = {
        ("win32", "AMD64"): False,
        ("linux", "aarch64"): False,
        ("linux", "x86_64"): True,
        ("darwin", "arm64"): True,
    }
    for (platform, machine), wanted in systems.items():
        found = Marker(marker).evaluate({"sys_platform": platform, "platform_machine": machine})
        assert found == wanted, (platform, machine)


def test_the_node_lock_names_no_host(repository: Path) -> None:
    lock = repository / "validate" / "runners" / "tfjs_node" / "package-lock.json"
    assert '"resolved"' not in lock.read_text(encoding="utf-8")


def test_the_smoke_marker_is_registered(pytestconfig: pytest.Config) -> None:
    assert any(marker.startswith("smoke:") for marker in pytestconfig.getini("markers"))


def test_the_licence_is_apache_2(project: dict[str, Any], repository: Path) -> None:
    assert project["project"]["license"] == "Apache-2.0"
    text = (repository / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License" in text
    assert "END OF TERMS AND CONDITIONS" in text


def test_the_changelog_begins_with_what_is_unreleased(repository: Path) -> None:
    headings = re.findall(r"^## (.+)$", (repository / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == "Unreleased"


def test_the_readme_names_every_command(repository: Path) -> None:
    readme = (repository / "README.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"azx {name}" not in readme] == []


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "docs"])
def test_links_between_the_pages_lead_somewhere(page: str, repository: Path) -> None:
    start = repository / page
    for source in sorted(start.glob("*.md")) if start.is_dir() else [start]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", source.read_text(encoding="utf-8")):
            assert (source.parent / target).exists(), f"{source.name} links to {target}"


def test_no_description_of_a_package_names_a_number_of_games(project: dict[str, Any], repository: Path) -> None:
    # The number grows, and the descriptions of packages on an index stay.
    files = [path for path in source_files(repository, "package.json") if "node_modules" not in path.parts]
    told = [json.loads(path.read_text(encoding="utf-8")).get("description", "") for path in files]
    assert any("board games" in text for text in told)
    for text in (project["project"]["description"], *told):
        assert not re.search(r"\b(two|three|four|five|six|seven|eight|nine|ten|\d+) (board )?games", text), text
