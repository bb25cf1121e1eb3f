"""docs/in-your-app.md: its listings in Python run as they stand; those of the other languages are their apps' tests."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import azx
from azx.bundle.copied import copy_bundle
from azx.export.checkpoint.read import read_checkpoint
from azx.validate.witness.evaluate import evaluate


@pytest.fixture(scope="module")
def page(repository: Path) -> str:
    return (repository / "docs" / "in-your-app.md").read_text(encoding="utf8")


@pytest.fixture(scope="module")
def place(small_bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with bundles/connect4: of a network that reads the board as the shipped one does."""
    folder = tmp_path_factory.mktemp("app")
    copy_bundle(small_bundle, folder / "bundles" / "connect4", Path("connect4.h5"), noted=False)
    return folder


@pytest.fixture(scope="module")
def value(small_checkpoint: Path) -> float:
    """What the original says of an empty board, by the witness in float64."""
    graph = read_checkpoint(small_checkpoint)
    answers = evaluate(graph, {graph.inputs[0].name: np.zeros((1, 2, 6, 7))})
    return float(answers["value_head"][0, 0])


def listings(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


@pytest.mark.parametrize("number", range(3))
def test_a_listing_in_python_runs_as_it_stands(number: int, page: str, place: Path, value: float) -> None:
    code = listings(page, "python")[number]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=place, check=False)
    assert done.returncode == 0, done.stderr
    shapes, found = done.stdout.strip().rsplit(" ", 1)
    assert shapes == "(1, 1) (1, 42)"
    assert float(found) == pytest.approx(value, abs=1e-5)


def test_the_page_has_these_listings_and_no_others(page: str) -> None:
    counts = {language: len(listings(page, language)) for language in ("python", "js", "ts", "kotlin", "swift")}
    assert counts == {"python": 3, "js": 1, "ts": 2, "kotlin": 2, "swift": 2}
    assert page.count("```") == 2 * sum(counts.values())
    for listing in (each for language in counts for each in listings(page, language)):
        assert len(list(filter(None, listing.splitlines()))) <= 15


def test_the_four_libraries_have_one_version(page: str, repository: Path) -> None:
    """Python's, the web's, Android's and iOS': the last one is a tag of git, which the page names."""
    apps = repository / "apps"
    found = {
        "web": json.loads((apps / "web" / "play" / "package.json").read_text(encoding="utf8"))["version"],
        "android": re.findall(r'^azx = "(.+)"$', (apps / "android/gradle/libs.versions.toml").read_text(), re.M)[0],
        "maven": re.findall(
            r"<artifactId>azx-android</artifactId>\s+<version>(.+)</version>", (apps / "android/pom.xml").read_text()
        )[0],
        "ios": re.findall(r"MARKETING_VERSION = (.+);", (apps / "ios/Azx.xcodeproj/project.pbxproj").read_text())[0],
    }
    assert set(found.values()) == {azx.__version__}, found
    named = re.findall(r"azx-play[-:](\d+\.\d+\.\d+)|from(?: version|:) \"?(\d+\.\d+\.\d+)", page)
    assert {first or second for first, second in named} == {azx.__version__}
    assert len(named) >= 5


def test_the_page_names_what_the_libraries_are_called(page: str, repository: Path) -> None:
    package = (repository / "Package.swift").read_text(encoding="utf8")
    modules = set(re.findall(r'"(Azx\w+)"', re.findall(r'name: "AzxKit", targets: \[(.+?)\]', package)[0]))
    imports = set(re.findall(r"^import (Azx\w+)$", listings(page, "swift")[1], re.M))
    assert imports <= modules
    gradle = (repository / "apps/android/play/build.gradle.kts").read_text(encoding="utf8")
    assert (re.findall(r'group = "(.+)"', gradle), re.findall(r'artifactId = "(.+)"', gradle)) == (
        ["org.azx"],
        ["azx-play"],
    )
    assert "org.azx:azx-play:" in page
    rooms = {path.name for path in (repository / "apps/android/play/src/main/kotlin/org/azx/app").iterdir()}
    assert set(re.findall(r"^import org\.azx\.app\.(\w+)\.", listings(page, "kotlin")[1], re.M)) == rooms
    versions = (repository / "apps/android/gradle/libs.versions.toml").read_text(encoding="utf8")
    (litert,) = re.findall(r'^litert = "(.+)"$', versions, re.M)
    assert re.findall(r"com\.google\.ai\.edge\.litert:[\w-]+:([\d.]+)", page) == [litert, litert]


@pytest.mark.parametrize(("number", "name"), [(0, "NetworkAlone"), (1, "FirstMove")])
def test_what_the_android_tests_run_is_the_listing(number: int, name: str, page: str, repository: Path) -> None:
    folder = repository / "apps" / "android" / "host" / "src" / "test" / "kotlin" / "org" / "azx" / "host" / "listings"
    head, package, code = (folder / f"{name}.kt").read_text(encoding="utf8").split("\n", 2)
    assert (head.startswith("/** docs/in-your-app.md: "), package) == (True, "package org.azx.host.listings")
    assert code == "\n" + listings(page, "kotlin")[number]


def test_what_the_ios_tests_run_is_the_listing_with_onnx_runtime(page: str, repository: Path) -> None:
    code = listings(page, "swift")[1]
    for core_ml, here in (
        ("import AzxCoreML\n", ""),
        ("import AzxNetwork\n", "import AzxNetwork\nimport OnnxRuntime\n"),
        ('try await CoreMLEvaluator(bundle, .all, words: "all units")', "try OnnxNetwork(bundle)"),
    ):
        assert core_ml in code
        code = code.replace(core_ml, here)
    tested = repository / "apps" / "ios" / "Tests" / "Onnx" / "FirstMove.swift"
    assert tested.read_text(encoding="utf8").split("\n", 2)[2] == code


def test_the_example_of_ios_is_one_file_of_200_lines_at_most_which_the_apps_check_reads(repository: Path) -> None:
    """apps/ios/tools/app.sh agrees it with the package: on Linux with declarations of SwiftUI that are ours."""
    (example,) = (repository / "examples" / "ios").glob("*.swift")
    assert len(example.read_text(encoding="utf8").splitlines()) <= 200
    assert "examples/ios/*.swift" in (repository / "apps/ios/tools/app.sh").read_text(encoding="utf8")
