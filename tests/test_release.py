"""What registries are told: addresses by one variable, no dead link on an index, a bill of materials."""

from __future__ import annotations

import importlib
import io
import json
import os
import re
import sys
import tarfile
import tomllib
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

ADDRESS = "https://example.org/owner/azx"


@pytest.fixture
def metadata(repository: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """release/metadata.py, which is no package."""
    monkeypatch.syspath_prepend(str(repository / "release"))
    monkeypatch.delitem(sys.modules, "metadata", raising=False)
    return importlib.import_module("metadata")


@pytest.fixture
def making(metadata: ModuleType) -> ModuleType:
    assert metadata
    return importlib.import_module("making")


@pytest.fixture
def installed(metadata: ModuleType) -> ModuleType:
    assert metadata
    return importlib.import_module("installed")


def test_the_address_is_one_variable(metadata: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AZX_REPOSITORY", raising=False)
    assert metadata.repository() == ""
    monkeypatch.setenv("AZX_REPOSITORY", ADDRESS + "/")
    assert metadata.repository() == ADDRESS
    monkeypatch.setenv("AZX_REPOSITORY", "my repository")
    with pytest.raises(ValueError, match="give the repository's address"):
        metadata.repository()


@pytest.mark.parametrize("address", [ADDRESS, ""])
def test_the_long_description_has_no_relative_link(address: str, metadata: ModuleType) -> None:
    text = metadata.long_description(address)
    assert re.findall(r"\]\((?!https://|#)[^)]*\)", text) == []
    assert re.findall(r'src="(?!https://)[^"]*"', text) == []
    assert (f"{ADDRESS}/blob/{metadata.tag()}/docs/parity.md" in text) == bool(address)
    assert "<this repository>" not in text or not address


def test_the_wheel_has_addresses_if_there_is_one(metadata: ModuleType) -> None:
    project = tomllib.loads(metadata.pyproject(ADDRESS))["project"]
    assert project["urls"]["Source"] == f"{ADDRESS}/tree/{metadata.tag()}"
    assert project["authors"] == [{"name": metadata.AUTHORS}]
    assert "urls" not in tomllib.loads(metadata.pyproject(""))["project"]


def test_the_npm_package_says_what_it_needs_and_where_it_is_from(metadata: ModuleType) -> None:
    data = json.loads(metadata.package_json(ADDRESS))
    assert data["repository"]["url"] == f"git+{ADDRESS}.git"
    assert data["engines"]["node"]
    assert data["exports"]["."]["types"] == data["types"]
    assert data["version"] == metadata.version()


def test_the_pom_has_all_that_maven_central_asks_for(metadata: ModuleType) -> None:
    tree = ElementTree.fromstring(metadata.pom(ADDRESS))  # noqa: S314 (our own text)
    space = "{http://maven.apache.org/POM/4.0.0}"
    for name in metadata.NEEDED_IN_POM:
        assert tree.findtext("/".join(space + part for part in name.split("/"))), name


def test_the_bill_names_each_part_once_and_what_it_holds(metadata: ModuleType) -> None:
    bill = metadata.sbom(ADDRESS)
    references = [component["bom-ref"] for component in bill["components"]]
    assert len(references) == len(set(references))
    assert {"linked:eigen", "pkg:maven/org.tensorflow/tensorflow-lite@2.16.1"} <= set(references)
    depends = {entry["ref"]: set(entry["dependsOn"]) for entry in bill["dependencies"]}
    assert set().union(*depends.values()) <= set(references)
    assert "linked:eigen" in depends["pkg:maven/org.tensorflow/tensorflow-lite@2.16.1"]
    assert any(each.startswith("pkg:pypi/numpy@") for each in depends[f"pkg:pypi/azx-export@{metadata.version()}"])
    assert metadata.sbom(ADDRESS) == bill


def test_two_builds_that_differ_end_the_release(
    making: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "WORK", tmp_path / "work")
    monkeypatch.setattr(making, "OUT", tmp_path / "out")
    (tmp_path / "out").mkdir()

    def build(folder: Path, text: str) -> Path:
        (folder / "made").write_text(text)
        return folder / "made"

    assert making.twice("it", lambda folder: build(folder, "same")).read_text() == "same"
    with pytest.raises(SystemExit, match="two builds of it differ"):
        making.twice("it", lambda folder: build(folder, folder.name))


def test_an_archive_of_sources_has_one_time_and_nobodys_files(
    making: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "epoch", lambda: "1700000000")
    made = []
    for time, names in ((1, "ba"), (2, "ab")):
        packed = tmp_path / f"{time}.tar.gz"
        with tarfile.open(packed, "w:gz") as archive:
            for name in names:
                (tmp_path / name).write_text(name)
                os.utime(tmp_path / name, (time, time))
                archive.add(tmp_path / name, f"azx/{name}")
        made.append(making._without_times(packed.read_bytes()))
    assert made[0] == made[1]
    with tarfile.open(fileobj=io.BytesIO(made[0])) as archive:
        assert [(each.name, each.mtime, each.uid, each.uname) for each in archive] == [
            (f"azx/{name}", 1_700_000_000, 0, "") for name in "ab"
        ]


def test_each_kind_is_installed_by_a_line_of_the_page(installed: ModuleType, metadata: ModuleType) -> None:
    lines = installed.lines(installed.PAGE.read_text(encoding="utf-8"))
    assert sum(line.startswith(installed.SERVE) for line in lines) == 1
    for kind in ('pip install -q "$RELEASE"/azx_export-*.whl', 'npm install --ignore-scripts "$RELEASE"/azx-', "mvn "):
        assert [line for line in lines if kind in line], kind
    assert not [line for line in lines if "\\" in line]
    named = {version for line in lines for version in re.findall(r"azx-play:(\S+)", line)}
    assert named == {metadata.version()}


def test_maven_never_finds_an_earlier_azx(
    installed: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / ".m2/repository"
    for name in ("org/azx/azx-play/0.1.0", "org/apache/maven", "com/google"):
        (own / name).mkdir(parents=True)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    made = installed._repository_without_azx(tmp_path / "empty")
    assert (made / "org/apache/maven").is_dir()
    assert (made / "com/google").is_dir()
    assert not (made / "org/azx").exists()
    (made / "org/azx/made").mkdir(parents=True)
    assert not (own / "org/azx/made").exists()


def test_the_wheel_of_the_android_app_has_addresses_too(repository: Path, metadata: ModuleType) -> None:
    text = (repository / "apps/android/wheel/pyproject.toml").read_text(encoding="utf-8")
    assert tomllib.loads(metadata.with_addresses(text, ADDRESS))["project"]["urls"]["Homepage"] == ADDRESS
    assert metadata.with_addresses(text, "") == text
    # An index wants a description, and `twine check --strict` says so.
    assert (repository / "apps/android/wheel" / tomllib.loads(text)["project"]["readme"]).is_file()
