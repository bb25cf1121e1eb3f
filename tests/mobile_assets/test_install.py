"""Bundles in apps: where they go, what is checked, and what is never touched."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from manifests import part_with

from azx.bundle.contents.manifest import load_manifest
from azx.bundle.contents.playable import why_not
from azx.errors import BundleError
from azx.export.checkpoint.digest import sha256
from azx.manifest import Artifact, File, Problem
from azx.mobile_assets.app_kinds import KINDS, kind_of
from azx.mobile_assets.install import install, list_installed, remove
from azx.mobile_assets.installed_index import Index, describe, is_name, read_index, write_index
from azx.system.exchange import beside, lock_of
from azx.validate.gate.limits import Limits

NAME = "small net é"
PROJECTS = {
    "android": (["app/build.gradle.kts", "settings.gradle.kts"], "app/src/main/assets", f"{NAME}.tflite"),
    "android module": (["build.gradle", "src/main/AndroidManifest.xml"], "src/main/assets", f"{NAME}.tflite"),
    "android of Maven": (["pom.xml", "app/pom.xml"], "app/src/main/assets", f"{NAME}.tflite"),
    "ios": (["Play.xcodeproj/project.pbxproj"], "Resources", f"{NAME}.mlpackage"),
    "ios package": (["Package.swift"], "Resources", f"{NAME}.mlpackage"),
    "android library": (["build.gradle"], "src/main/assets", f"{NAME}.tflite"),
    "web": (["package.json", "index.html"], "public", f"{NAME}_tfjs"),
    "web root": (["index.html"], ".", f"{NAME}_tfjs"),
}


def project(folder: Path, *files: str) -> Path:
    """An app's project that has these files."""
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("//\n")
    return folder


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """A web app's project."""
    return project(tmp_path / "site", "package.json")


@pytest.fixture
def assets(web: Path) -> Path:
    """Where its bundles go."""
    return web / "public" / "azx"


@pytest.mark.parametrize("kind", PROJECTS)
def test_each_kind_of_project_gets_its_artifact_where_its_build_expects_it(
    kind: str, small_bundle: Path, tmp_path: Path
) -> None:
    files, place, artifact = PROJECTS[kind]
    app = project(tmp_path / "app project", *files)
    done = install(small_bundle, app)
    assert done.folder == app / place / "azx" / NAME
    assert done.entry.artifact == artifact
    # A browser may run the .tflite too.
    more = {f"{NAME}.tflite"} if "web" in kind else set()
    assert {path.name for path in done.folder.iterdir()} == {"manifest.json", "golden.json", artifact, *more}
    for file in done.entry.files:
        assert (done.folder / file.path).read_bytes() == (small_bundle / file.path).read_bytes()


def test_the_shipped_apps_are_told_by_their_files(repository: Path) -> None:
    apps = repository / "apps"
    found = {
        app.name: kind_of(app).assets(app).relative_to(app).as_posix()
        for app in map(apps.joinpath, ("android", "ios", "web"))
    }
    assert found == {"android": "app/src/main/assets/azx", "ios": "Resources/azx", "web": "public/azx"}


def test_a_folder_of_no_kind_gets_every_artifact_when_told_so(small_bundle: Path, tmp_path: Path) -> None:
    done = install(small_bundle, tmp_path, kind="folder")
    manifest = json.loads((small_bundle / "manifest.json").read_text())
    assert (done.entry.artifact, done.folder) == (None, tmp_path / "azx" / NAME)
    assert {file.path for file in done.entry.files} == {"manifest.json", *(file["path"] for file in manifest["files"])}


def test_the_index_tells_an_app_all_that_it_needs(check: Any, small_bundle: Path, web: Path, assets: Path) -> None:
    install(small_bundle, web)
    install(small_bundle, web, name="zweites")
    index = json.loads((assets / "index.json").read_text(encoding="utf8"))
    assert index["schema_version"] == 2
    first, second = index["bundles"]
    assert (first["name"], first["title"], first["game"], first["settings"]) == (
        NAME,
        f"Connect4 ({NAME})",
        "connect4",
        {},
    )
    assert (first["artifact"], first["format"], first["problems"]) == (f"{NAME}_tfjs", "tfjs", [])
    assert second["name"] == "zweites"
    for entry in (first, second):
        found = {path.relative_to(assets / entry["name"]).as_posix() for path in (assets / entry["name"]).rglob("*.*")}
        assert {file["path"] for file in entry["files"]} == found - {f"{NAME}_tfjs"}
        for file in entry["files"]:
            path = assets / entry["name"] / file["path"]
            assert (sha256(path), path.stat().st_size) == (file["sha256"], file["size"])
    assert check.entries(assets) == {"index.json", NAME, "zweites"}


def test_the_index_says_why_an_app_cannot_play_a_bundle(small_bundle: Path, web: Path) -> None:
    manifest = load_manifest(small_bundle)
    unknown = replace(manifest, game=None, settings=None, encoding=None, actions=None)
    entry = describe(small_bundle, unknown, "net", manifest.artifacts[0])
    assert entry.problems == (Problem(code="no_game", places=()),)
    unknown = replace(unknown, inputs=manifest.inputs * 2, batch=8)
    two = describe(small_bundle, unknown, "net", manifest.artifacts[0])
    assert two.problems == tuple(why_not(unknown))
    write_index(web, Index(bundles=(two,)))
    stated = [problem.as_data() for problem in two.problems]
    assert json.loads((web / "index.json").read_text())["bundles"][0]["problems"] == stated
    assert read_index(web).bundles == (two,)


@pytest.mark.parametrize("problems", [None, [], ["it has no known game"], ["what its network reads is not described"]])
def test_an_index_of_an_older_azx_becomes_one_of_this_version(
    problems: list[str] | None, small_bundle: Path, web: Path, assets: Path
) -> None:
    install(small_bundle, web, name="old")
    index = json.loads((assets / "index.json").read_text())
    known = {**index["bundles"][0], "problems": problems}
    if problems is None:
        del known["problems"]
    (assets / "index.json").write_text(json.dumps({"schema_version": 1, "bundles": [known]}))
    install(small_bundle, web, name="new")
    written = json.loads((assets / "index.json").read_text())
    assert written["schema_version"] == 2
    # The bundle's own manifest tells, whatever clauses an older azx wrote.
    assert [(entry["name"], entry["problems"]) for entry in written["bundles"]] == [("new", []), ("old", [])]


def test_a_game_by_its_own_name_has_its_plain_title(small_bundle: Path, web: Path) -> None:
    assert install(small_bundle, web, name="connect4").entry.title == "Connect4"


def test_installing_again_replaces_what_was_installed(check: Any, small_bundle: Path, web: Path) -> None:
    first = install(small_bundle, web)
    before = check.contents(web)
    second = install(small_bundle, web)
    assert (first.replaced, second.replaced) == (False, True)
    assert check.contents(web) == before


def test_a_file_that_an_older_bundle_had_goes_with_it(small_bundle: Path, web: Path, assets: Path) -> None:
    install(small_bundle, web, name="net")
    index = json.loads((assets / "index.json").read_text())
    (assets / "net" / "old.bin").write_bytes(b"old")
    old = {"path": "old.bin", "sha256": sha256(assets / "net" / "old.bin"), "size": 3}
    index["bundles"][0]["files"].append(old)
    (assets / "index.json").write_text(json.dumps(index))
    install(small_bundle, web, name="net")
    assert not (assets / "net" / "old.bin").exists()


def test_the_index_of_the_same_bundles_is_the_same_whatever_the_order(small_bundle: Path, tmp_path: Path) -> None:
    texts = []
    for names in (["a", "b"], ["b", "a"]):
        app = project(tmp_path / "".join(names), "package.json")
        for name in names:
            install(small_bundle, app, name=name)
        texts.append((app / "public" / "azx" / "index.json").read_bytes())
    assert texts[0] == texts[1]


def write(path: Path, text: str) -> None:
    """A file, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def link(path: Path) -> None:
    """A link to the folder above the one that it lies in."""
    path.parent.mkdir(parents=True)
    path.symlink_to(path.parent.parent)


def dangling(path: Path) -> None:
    """A link to what is not there."""
    path.parent.mkdir(parents=True)
    path.symlink_to("nowhere")


IN_THE_WAY: dict[str, Callable[[Path], None]] = {
    "a foreign file in a foreign folder": lambda a: write(a / NAME / "mine.txt", "mine"),
    "a file of the folder's name": lambda a: write(a / NAME, "mine"),
    "an index of somebody else": lambda a: write(a / "index.json", "[1]"),
    "an index of a later azx": lambda a: write(a / "index.json", '{"schema_version": 3, "bundles": []}'),
    "a folder where the index goes": lambda a: write(a / "index.json" / "mine.txt", "mine"),
    "a link to nowhere for the folder of all": lambda a: dangling(a),
    "a file for the folder of all": lambda a: write(a, "mine"),
    "a link to elsewhere": lambda a: link(a / NAME),
    "a name in other letters": lambda a: write(a / NAME.upper() / "mine.txt", "mine"),
}


@pytest.mark.parametrize("what", IN_THE_WAY)
def test_what_azx_did_not_write_is_not_touched(
    check: Any, what: str, small_bundle: Path, web: Path, assets: Path
) -> None:
    IN_THE_WAY[what](assets)
    with check.nothing_left(web), pytest.raises(BundleError, match=r"\.$"):
        install(small_bundle, web)
    assert not lock_of(assets).exists()


def test_a_changed_file_of_an_installed_bundle_is_not_overwritten(
    check: Any, small_bundle: Path, web: Path, assets: Path
) -> None:
    install(small_bundle, web)
    (assets / NAME / "golden.json").write_text("mine")
    with (
        check.nothing_left(web),
        pytest.raises(BundleError, match=r"golden\.json' is not a file that azx install wrote"),
    ):
        install(small_bundle, web)


def test_a_file_added_to_an_installed_bundle_is_not_deleted(
    check: Any, small_bundle: Path, web: Path, assets: Path
) -> None:
    install(small_bundle, web)
    (assets / NAME / "notes.txt").write_text("mine")
    with check.nothing_left(web), pytest.raises(BundleError, match=r"notes\.txt' is not a file that azx install wrote"):
        install(small_bundle, web)


@pytest.mark.parametrize("name", ["index.json", f"{NAME}/golden.json"])
def test_a_pipe_in_the_way_is_not_waited_for(name: str, small_bundle: Path, web: Path, assets: Path) -> None:
    (assets / name).parent.mkdir(parents=True)
    os.mkfifo(assets / name)
    with pytest.raises(BundleError, match="move it away"):
        install(small_bundle, web)
    assert (assets / name).is_fifo()


@pytest.mark.parametrize("name", [".net.part-123", ".azx.azx-part", ".azx.azx-0123456789abcdef", ".net.part-2 of 3"])
def test_what_only_looks_like_the_rest_of_a_killed_install_stays(
    name: str, small_bundle: Path, web: Path, assets: Path
) -> None:
    for mine in (assets / name / "mine.txt", assets.parent / name / "mine.txt"):
        write(mine, "mine")
    install(small_bundle, web, name="net")
    install(small_bundle, web, name="net")
    remove("net", web)
    assert [mine.read_text() for mine in (assets / name / "mine.txt", assets.parent / name / "mine.txt")] == [
        "mine"
    ] * 2


def test_what_is_not_azxs_is_the_same_file_afterwards(small_bundle: Path, web: Path, assets: Path) -> None:
    """A link, an empty folder, a pipe, and a file that a program has open and goes on writing."""
    write(assets / "deep" / "mine.txt", "mine")
    (assets / "link").symlink_to("deep/mine.txt")
    (assets / "empty").mkdir(mode=0o750)
    os.mkfifo(assets / "pipe")
    with (assets / "deep" / "mine.txt").open("a") as file:
        install(small_bundle, web, name="net")
        remove("net", web)
        file.write(" too")
    assert (assets / "link").read_text() == "mine too"
    assert (assets / "link").readlink() == Path("deep/mine.txt")
    assert ((assets / "empty").stat().st_mode & 0o777, (assets / "pipe").is_fifo()) == (0o750, True)
    assert {path.name for path in assets.iterdir()} == {"deep", "link", "empty", "pipe"}


def test_a_disk_without_hard_links_gets_copies(
    check: Any, small_bundle: Path, web: Path, assets: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, _: Path) -> None:
        raise PermissionError(1, "Operation not permitted", str(path))

    write(assets / "mine.txt", "mine")
    monkeypatch.setattr(os, "link", refuse)
    install(small_bundle, web, name="a")
    install(small_bundle, web, name="b")
    assert check.entries(assets) == {"index.json", "mine.txt", "a", "b"}
    assert [state for _, _, state in list_installed(web)] == ["ok", "ok"]
    os.mkfifo(assets / "pipe")
    with check.nothing_left(web), pytest.raises(BundleError, match=r"pipe' cannot be read or written \(Operation not"):
        remove("a", web)


def test_a_link_to_the_folder_of_all_stays_one(small_bundle: Path, web: Path, assets: Path) -> None:
    elsewhere = web.parent / "elsewhere"
    elsewhere.mkdir()
    assets.parent.mkdir()
    assets.symlink_to(elsewhere)
    install(small_bundle, web, name="net")
    assert assets.is_symlink()
    assert {path.name for path in elsewhere.iterdir()} == {"index.json", "net"}
    assert [path.name for path in assets.parent.iterdir()] == ["azx"]


def test_a_project_whose_modules_have_other_names_must_be_told_which(small_bundle: Path, tmp_path: Path) -> None:
    app = project(tmp_path / "studio", "settings.gradle.kts", "mobile/build.gradle.kts")
    with pytest.raises(BundleError, match="has no module 'app': give the folder of the module"):
        install(small_bundle, app)
    assert install(small_bundle, app / "mobile").folder == app / "mobile" / "src" / "main" / "assets" / "azx" / NAME


def test_a_damaged_bundle_is_not_installed(check: Any, bundle: Path, web: Path) -> None:
    os.truncate(bundle / "golden.json", 9)
    with check.nothing_left(web), pytest.raises(BundleError, match="its SHA-256 differs"):
        install(bundle, web)


def test_a_copy_that_went_wrong_is_noticed_and_taken_away(
    check: Any, small_bundle: Path, web: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def copy_badly(source: Path, target: Path) -> None:
        target.write_bytes(source.read_bytes()[:-1] + b"?")

    monkeypatch.setattr(shutil, "copyfile", copy_badly)
    with check.nothing_left(web), pytest.raises(BundleError, match="changed while it was copied"):
        install(small_bundle, web)


def test_an_update_that_fails_leaves_what_was_installed(
    check: Any, small_bundle: Path, web: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(small_bundle, web)

    def fail(source: Path, target: Path) -> None:
        raise OSError(28, "No space left on device", str(target))

    monkeypatch.setattr(shutil, "copyfile", fail)
    with check.nothing_left(web), pytest.raises(BundleError, match=r"public/azx' cannot be .* \(No space left"):
        install(small_bundle, web)


def test_a_bundle_of_the_same_bytes_that_no_index_lists_is_taken_over(
    small_bundle: Path, web: Path, assets: Path
) -> None:
    install(small_bundle, web)
    (assets / "index.json").unlink()
    assert not install(small_bundle, web).replaced
    assert {path.name for path in assets.iterdir()} == {"index.json", NAME}


def test_a_second_install_at_the_same_time_is_told_so(small_bundle: Path, web: Path, assets: Path) -> None:
    from filelock import FileLock

    assets.mkdir(parents=True)
    with FileLock(lock_of(assets)), pytest.raises(BundleError, match="in use by another azx install"):
        install(small_bundle, web)


def test_without_the_platforms_artifact_the_sentence_has_the_command_that_adds_it(bundle: Path, web: Path) -> None:
    path = bundle / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf8"))
    del manifest["recommended"]["web"]
    path.write_text(json.dumps(manifest), encoding="utf8")
    with pytest.raises(BundleError, match=r"holds no TF\.js artifact, which a web app loads: add it with `azx export"):
        install(bundle, web)
    with pytest.raises(BundleError, match="--format tfjs -o '"):
        install(bundle, web)
    # What its export could not write, no other export of the same network can.
    parity = json.loads((bundle / "parity.json").read_text(encoding="utf8"))
    parity["not_written"] = {"tfjs": "TF.js: the wasm backend has no Einsum (node 'e')."}
    (bundle / "parity.json").write_text(json.dumps(parity), encoding="utf8")
    with pytest.raises(BundleError) as error:
        install(bundle, web)
    assert "its export could not write one (TF.js: the wasm backend has no Einsum (node 'e')): build" in str(
        error.value
    )
    assert "--format" not in str(error.value)
    others: tuple[Any, ...] = ({"tfjs": 3}, [], "x")
    for damaged in others:
        (bundle / "parity.json").write_text(json.dumps({**parity, "not_written": damaged}), encoding="utf8")
        with pytest.raises(BundleError, match="add it with `azx export"):
            install(bundle, web)


def test_the_artifact_is_the_recommended_one_and_not_the_first_of_its_format(bundle: Path, web: Path) -> None:
    path = bundle / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf8"))
    smaller = bundle / f"{NAME}.int8_tfjs"
    shutil.copytree(bundle / f"{NAME}_tfjs", smaller)
    manifest["artifacts"].append({"format": "tfjs", "path": smaller.name, "precision": "int8"})
    manifest["files"] += [
        {"path": f"{smaller.name}/{f.name}", "sha256": sha256(f), "size": f.stat().st_size} for f in smaller.iterdir()
    ]
    manifest["recommended"]["web"] = smaller.name
    path.write_text(json.dumps(manifest), encoding="utf8")
    done = install(bundle, web)
    names = {path.name for path in done.folder.iterdir()}
    assert done.entry.artifact == smaller.name
    # Float32 comes along, for the self-test.
    assert names == {"manifest.json", "golden.json", smaller.name, f"{NAME}_tfjs", f"{NAME}.tflite"}


def with_precisions(bundle: Path, gates: dict[str, bool]) -> Path:
    """The bundle with its TF.js artifact in lower precisions too, inside their gates or not, of 1 and 2 bytes."""
    path = bundle / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf8"))
    for size, (precision, passed) in enumerate(gates.items(), 1):
        folder = f"{NAME}.{precision}_tfjs"
        (bundle / folder).mkdir()
        (bundle / folder / "model.json").write_bytes(b" " * size)
        gate = {"passed": passed, "limits": Limits().as_data(), "positions": ["self-play"]}
        manifest["artifacts"].append({"format": "tfjs", "path": folder, "precision": precision, "gate": gate})
        file = f"{folder}/model.json"
        manifest["files"].append({"path": file, "sha256": sha256(bundle / file), "size": size})
    path.write_text(json.dumps(manifest), encoding="utf8")
    return bundle


@pytest.mark.parametrize(
    ("gates", "plays"),
    [
        ({}, ""),
        ({"int8-weights": True, "fp16": True}, ".int8-weights"),
        ({"int8-weights": False, "fp16": True}, ".fp16"),
        ({"int8-weights": False}, ""),
    ],
)
def test_a_browser_plays_the_smallest_that_is_inside_its_gate(
    bundle: Path, web: Path, gates: dict[str, bool], plays: str
) -> None:
    done = install(with_precisions(bundle, gates), web)
    folders = {path.name for path in done.folder.iterdir() if path.is_dir()}
    assert done.entry.artifact == f"{NAME}{plays}_tfjs"
    assert folders == {f"{NAME}{plays}_tfjs", f"{NAME}_tfjs"}


@pytest.mark.parametrize(
    ("precision", "passed", "plays"),
    [(None, True, ""), ("fp16", True, ".fp16"), ("auto", True, ".fp16"), ("auto", False, "")],
)
def test_an_android_app_gets_what_it_plays_alone(
    bundle: Path, tmp_path: Path, precision: str | None, passed: bool, plays: str
) -> None:
    path = bundle / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf8"))
    half = bundle / f"{NAME}.fp16.tflite"
    half.write_bytes(b" ")
    gate = {"passed": passed, "limits": Limits().as_data(), "positions": ["self-play"]}
    manifest["artifacts"].append({"format": "tflite", "path": half.name, "precision": "fp16", "gate": gate})
    manifest["files"].append({"path": half.name, "sha256": sha256(half), "size": 1})
    path.write_text(json.dumps(manifest), encoding="utf8")
    done = install(bundle, project(tmp_path / "app", "build.gradle"), precision=precision)
    assert done.entry.artifact == f"{NAME}{plays}.tflite"
    assert {path.name for path in done.folder.glob("*.tflite")} == {f"{NAME}{plays}.tflite"}


def test_one_may_say_in_which_precision_an_app_plays(bundle: Path, web: Path, tmp_path: Path) -> None:
    with_precisions(bundle, {"int8-weights": True, "fp16": True})
    assert install(bundle, web, precision="fp16").entry.artifact == f"{NAME}.fp16_tfjs"
    assert not (web / "public/azx" / NAME / f"{NAME}.int8-weights_tfjs").exists()
    exact = install(bundle, web, precision="fp32")
    assert exact.entry.artifact == f"{NAME}_tfjs"
    assert not (exact.folder / f"{NAME}.fp16_tfjs").exists()
    with pytest.raises(
        BundleError, match=r"no TF\.js artifact in int8 that is inside its gate: it has fp16, fp32, int8-w"
    ):
        install(bundle, web, precision="int8")
    (tmp_path / "folder").mkdir()
    with pytest.raises(BundleError, match="leave --precision fp16 out"):
        install(bundle, tmp_path / "folder", kind="folder", precision="fp16")


@pytest.mark.parametrize(
    ("entry", "comes"),
    [
        ({"precision": "fp32"}, True),
        ({"precision": "int8-dynamic", "gate": {"passed": True}}, True),
        ({"precision": "int8-dynamic", "gate": {"passed": False}}, False),
        ({"precision": "fp16", "gate": {"passed": True}}, False),
    ],
)
def test_what_a_browser_runs_in_litert_js_comes_with_its_tfjs_artifact(
    entry: dict[str, Any], comes: bool, small_bundle: Path
) -> None:
    manifest = load_manifest(small_bundle)
    tfjs = next(item for item in manifest.artifacts if item.format == "tfjs")
    lite = part_with(Artifact, {"format": "tflite", "path": "net.lite.tflite", **entry})
    file = File(path=lite.path, sha256="0" * 64, size=1)
    more = replace(manifest, artifacts=(*manifest.artifacts, lite), files=(*manifest.files, file))
    listed = {file.path for file in describe(small_bundle, more, "net", tfjs).files}
    assert (lite.path in listed) is comes
    # Alone it is what an Android app loads, and nothing comes with it.
    assert tfjs.path + "/model.json" not in {file.path for file in describe(small_bundle, more, "net", lite).files}


def test_a_project_of_no_kind_or_of_two_must_be_told(tmp_path: Path) -> None:
    with pytest.raises(
        BundleError, match=r"no Android, Xcode or web project: say with --kind .*; for a website --kind web\)"
    ):
        kind_of(tmp_path)
    project(tmp_path, "package.json", "settings.gradle")
    with pytest.raises(BundleError, match="android and web: say with --kind"):
        kind_of(tmp_path)
    assert kind_of(tmp_path, "web") is KINDS["web"]
    with pytest.raises(BundleError, match=r"There is no folder at .* a website \(--kind web\)"):
        kind_of(tmp_path / "none", "web")


@pytest.mark.parametrize(
    "name",
    [
        "",
        "..",
        ".x",
        "a/b",
        "a\\b",
        "C:",
        "index.json",
        "a\n",
        " a",
        "a ",
        "x" * 101,
        "a%2f",
        "nul",
        "COM1.net",
        "é" * 130,
    ],
)
def test_a_name_that_some_system_could_not_hold_is_refused(name: str, small_bundle: Path, web: Path) -> None:
    assert not is_name(name)
    with pytest.raises(BundleError, match="give another one with --name"):
        install(small_bundle, web, name=name)


def test_listing_says_which_files_are_changed_or_missing(small_bundle: Path, web: Path, assets: Path) -> None:
    for name in ("a", "b", "c"):
        install(small_bundle, web, name=name)
    (assets / "b" / "golden.json").write_text("other")
    (assets / "c" / "golden.json").unlink()
    assert [(entry.name, state) for entry, _, state in list_installed(web)] == [
        ("a", "ok"),
        ("b", "changed"),
        ("c", "missing"),
    ]


def test_removing_takes_away_all_that_was_installed(check: Any, small_bundle: Path, web: Path, assets: Path) -> None:
    install(small_bundle, web, name="a")
    before = check.contents(web)
    install(small_bundle, web, name="b")
    assert remove("b", web).left == ()
    assert check.contents(web) == before
    remove("a", web)
    assert not assets.exists()
    assert check.contents(web) == {"package.json": b"//\n"}


def test_removing_leaves_what_was_changed_or_added(small_bundle: Path, web: Path, assets: Path) -> None:
    install(small_bundle, web, name="a")
    (assets / "a" / "golden.json").write_text("mine")
    (assets / "a" / "notes.txt").write_text("mine too")
    assert remove("a", web).left == ("golden.json", "notes.txt")
    assert sorted(path.name for path in (assets / "a").iterdir()) == ["golden.json", "notes.txt"]
    assert read_index(assets).bundles == ()


def test_removing_takes_the_rest_of_a_killed_install_along(small_bundle: Path, web: Path, assets: Path) -> None:
    install(small_bundle, web, name="a")
    shutil.copytree(assets, beside(assets))
    remove("a", web)
    assert list(assets.parent.iterdir()) == []


def test_removing_what_is_not_there_names_what_is(small_bundle: Path, web: Path) -> None:
    with pytest.raises(BundleError, match=r"There is no bundle 'x' in .*: it has none"):
        remove("x", web)
    install(small_bundle, web, name="a")
    with pytest.raises(BundleError, match="it has a"):
        remove("x", web)


@pytest.mark.parametrize("path", ["../../package.json", "/etc/hostname", "a\\b"])
def test_an_index_that_points_out_of_its_folder_deletes_nothing(
    check: Any, path: str, small_bundle: Path, web: Path, assets: Path
) -> None:
    install(small_bundle, web, name="a")
    index = json.loads((assets / "index.json").read_text())
    index["bundles"][0]["files"][0]["path"] = path
    (assets / "index.json").write_text(json.dumps(index))
    with check.nothing_left(web), pytest.raises(BundleError, match="outside"):
        remove("a", web)


def test_an_index_whose_name_points_elsewhere_is_refused(small_bundle: Path, web: Path, assets: Path) -> None:
    install(small_bundle, web, name="a")
    text = (assets / "index.json").read_text().replace('"name": "a"', '"name": "../.."')
    (assets / "index.json").write_text(text)
    with pytest.raises(BundleError, match="no folder beside it"):
        remove("../..", web)
