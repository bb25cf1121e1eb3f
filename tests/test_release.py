"""What registries are told: addresses by one variable, no dead link on an index, a bill of materials."""

from __future__ import annotations

import json
import re
import sys
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
    import importlib

    return importlib.import_module("metadata")


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
