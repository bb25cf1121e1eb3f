"""The Android app's two builds agree, and an APK that was built is one that phones take.

Gradle cannot run where these tests run: its files are read as text and held to pom.xml, which Maven does build.
"""

from __future__ import annotations

import json
import re
import shutil
import struct
import subprocess
import tomllib
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from azx.bundle.contents.manifest import load_manifest
from azx.bundle.contents.playable import problem, why_not
from azx.manifest import Problem

POM = "{http://maven.apache.org/POM/4.0.0}"
ANDROID = "{http://schemas.android.com/apk/res/android}"
ABIS = ["arm64-v8a", "armeabi-v7a", "x86_64"]
HINT = "No bundle is installed, so the app lists no game: "
SHIPPED = {"connect4", "dots_and_boxes", "go", "gomoku", "hex", "reversi", "tictactoe"}
LIMIT = 15_000_000
# Of the engine's code in an app, compressed.
ENGINE_KB = 150
# A part of an ELF file that is loaded.
LOAD = 1
# Bundles that the app's tests read (host/src/test/small), and why it cannot play them.
SMALL = {
    "value_only": [],
    "two_inputs": [problem("no_game"), problem("inputs", 2)],
    "batched": [problem("no_game"), problem("batch", 4)],
    "beside": [],
    "half": [],
}
# The app maps the models from the APK, and Android the resources.
STORED = ("resources.arsc", ".tflite")
# The modules that both builds have, and the rooms of each.
MODULES = {"play": {"engine", "bundle", "network"}, "app": {"play", "screens"}}
# The app's packages from the lowest to the highest: none imports one above it.
PACKAGES = [
    "engine",
    "engine.games",
    "engine.records",
    "engine.review",
    "bundle",
    "network",
    "play.library",
    "play",
    "play.people",
    "play.table",
    "screens.boards",
    "screens",
    "screens.self_test",
    "screens.settings",
    "screens.play",
    "screens.people",
    "screens.library",
    "screens.games",
]


@pytest.fixture(scope="module")
def app(repository: Path) -> Path:
    return repository / "apps" / "android"


@pytest.fixture(scope="module")
def pom(app: Path) -> ElementTree.Element:
    return ElementTree.parse(app / "pom.xml").getroot()  # noqa: S314 (our own file)


@pytest.fixture(scope="module")
def properties(pom: ElementTree.Element) -> dict[str, str]:
    found = pom.find(f"{POM}properties")
    assert found is not None
    return {item.tag.removeprefix(POM): item.text or "" for item in found}


@pytest.fixture(scope="module")
def gradle(app: Path) -> str:
    return (app / "app" / "build.gradle.kts").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def library(app: Path) -> str:
    return (app / "play" / "build.gradle.kts").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def catalog(app: Path) -> dict[str, str]:
    versions = tomllib.loads((app / "gradle" / "libs.versions.toml").read_text(encoding="utf-8"))["versions"]
    return dict(versions)


@pytest.fixture(scope="module")
def manifest(app: Path) -> ElementTree.Element:
    return ElementTree.parse(app / "app" / "src" / "main" / "AndroidManifest.xml").getroot()  # noqa: S314


@pytest.fixture(scope="module")
def texts(repository: Path) -> dict[str, dict[str, Any]]:
    """The app's texts by language and key."""
    found = {}
    for language in ("en", "zh-Hans"):
        all_texts = json.loads((repository / "apps" / "texts" / f"{language}.json").read_text(encoding="utf-8"))
        own = {
            key: text.get("android", text.get("other")) if isinstance(text, dict) else text
            for key, text in all_texts.items()
        }
        found[language] = {key: text for key, text in own.items() if text is not None}
    return found


def made(path: Path, app: Path, target: str) -> Path:
    """What `make` has made at `path`; skipped where it has not, or not since its sources changed."""
    if not path.is_file():
        pytest.skip(f"there is no {path.name}: make {target}")
    folders = (*(app / module / "src" / "main" for module in MODULES), app.parents[1] / "games" / "data")
    poms = (app / "pom.xml", *(app / module / "pom.xml" for module in MODULES))
    sources = [*poms, *(file for folder in folders for file in folder.rglob("*") if file.is_file())]
    if any(file.stat().st_mtime > path.stat().st_mtime for file in sources):
        pytest.skip(f"{path.name} is older than its sources: make {target}")
    return path


@pytest.fixture(scope="module")
def apk(app: Path) -> Path:
    return made(app / "app" / "target" / "azx-debug.apk", app, "apk")


def setting(gradle: str, name: str) -> str:
    found = re.findall(rf'^\s*{name} = "?([\w.]+)"?$', gradle, re.MULTILINE)
    assert len(found) == 1, f"{name} is set {len(found)} times"
    return str(found[0])


def tool(name: str, *arguments: str | Path) -> str:
    """What the program says; skipped where it is not installed."""
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    done = subprocess.run([name, *map(str, arguments)], capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def application(manifest: ElementTree.Element) -> ElementTree.Element:
    found = manifest.find("application")
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("namespace", "app.package"),
        ("applicationId", "app.package"),
        ("minSdk", "app.minSdk"),
        ("targetSdk", "app.targetSdk"),
    ],
)
def test_gradle_and_maven_build_the_same_app(gradle: str, properties: dict[str, str], name: str, key: str) -> None:
    assert setting(gradle, name) == properties[key]


def test_both_are_compiled_against_the_framework_that_a_store_asks_for(
    app: Path, gradle: str, properties: dict[str, str]
) -> None:
    """Google Play takes no app for API 34 any more."""
    assert (setting(gradle, "compileSdk"), setting(gradle, "targetSdk")) == ("36", "36")
    # Robolectric calls its frameworks by the version of Android: 16 is API 36, 14 is API 34.
    assert properties["android.all"].startswith("16-")
    assert properties["android.run"].startswith("14-")
    assert "sdk=34" in (app / "host/src/test/resources/robolectric.properties").read_text(encoding="utf-8")


def test_every_build_has_the_version_of_the_package(
    repository: Path, app: Path, catalog: dict[str, str], pom: ElementTree.Element
) -> None:
    version = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert catalog["azx"] == pom.findtext(f"{POM}version") == version
    for module in (*MODULES, "host"):
        parent = ElementTree.parse(app / module / "pom.xml").getroot().find(f"{POM}parent")  # noqa: S314
        assert parent is not None
        assert parent.findtext(f"{POM}version") == version, module


def test_gradle_and_maven_use_the_same_kotlin_and_junit(catalog: dict[str, str], properties: dict[str, str]) -> None:
    assert catalog["kotlin"] == properties["kotlin.version"]
    assert catalog["junit"] == properties["junit.version"]


def test_both_compile_for_the_same_virtual_machine(gradle: str, library: str, properties: dict[str, str]) -> None:
    """The Android plugin gives Kotlin the target of Java."""
    assert properties["kotlin.compiler.jvmTarget"] == "1.8"
    assert (
        setting(gradle, "targetCompatibility") == setting(library, "targetCompatibility") == "JavaVersion.VERSION_1_8"
    )


def test_the_api_that_the_code_is_held_to_is_that_of_the_oldest_android(
    pom: ElementTree.Element, properties: dict[str, str]
) -> None:
    artifacts = [item.text or "" for item in pom.iter(f"{POM}artifactId")]
    assert "gummy-bears-api-${app.minSdk}" in artifacts
    assert properties["app.minSdk"] == "26", "CI asks for gummy-bears-api-26"


def test_both_pack_the_same_processors(app: Path, gradle: str) -> None:
    listed = re.search(r"abiFilters \+= listOf\((.*)\)", gradle)
    assert listed is not None
    assert re.findall(r'"([^"]+)"', listed[1]) == ABIS
    text = (app / "app" / "pom.xml").read_text(encoding="utf-8")
    assert f'includes="{",".join(f"{abi}/*.so" for abi in ABIS)}"' in text


def test_both_leave_the_model_uncompressed(app: Path, gradle: str) -> None:
    assert 'noCompress += "tflite"' in gradle
    assert "-0 tflite" in (app / "app" / "pom.xml").read_text(encoding="utf-8")


def test_both_say_how_bundles_are_installed_where_there_are_none(app: Path, gradle: str) -> None:
    joined = re.sub(r'" \+\s+"', "", gradle)
    pattern = re.escape(HINT) + r"[^\"<]+"
    said = [re.findall(pattern, text) for text in (joined, (app / "app" / "pom.xml").read_text(encoding="utf-8"))]
    assert said[0] == said[1] == [HINT + "run `make android`, or `azx install BUNDLE apps/android`."]


def test_the_app_asks_for_no_permission(manifest: ElementTree.Element) -> None:
    assert [item.tag for item in manifest] == ["application"]


def test_the_manifest_leaves_to_the_builds_what_they_write_themselves(manifest: ElementTree.Element) -> None:
    assert "package" not in manifest.attrib
    assert ANDROID + "extractNativeLibs" not in application(manifest).attrib
    assert ANDROID + "debuggable" not in application(manifest).attrib


def test_the_system_may_show_beforehand_where_back_leads(app: Path, manifest: ElementTree.Element) -> None:
    assert application(manifest).attrib[ANDROID + "enableOnBackInvokedCallback"] == "true"
    # From API 36 on no app hears of these.
    for path in (app / "app" / "src" / "main" / "kotlin").rglob("*.kt"):
        assert not re.search(r"onBackPressed|KEYCODE_BACK\b", path.read_text(encoding="utf-8")), path.name


def version_code(version: str) -> str:
    """What both builds make of a version: 1.2.3 is 10203."""
    major, minor, patch = map(int, version.split("."))
    return str(10_000 * major + 100 * minor + patch)


def test_what_an_older_android_lacks_is_asked_for_first(app: Path) -> None:
    """animal-sniffer leaves out what is marked so: each of these files asks which Android it runs on."""
    marked = []
    for path in (app / "app" / "src" / "main" / "kotlin").rglob("*.kt"):
        text = path.read_text(encoding="utf-8")
        levels = re.findall(r"@TargetApi\(Build\.VERSION_CODES\.(\w+)\)\s+private (?:object|fun|class) (\w+)", text)
        assert text.count("@TargetApi(") == len(levels), f"{path.name}: what is marked is private"
        for level, name in levels:
            assert f"SDK_INT >= Build.VERSION_CODES.{level}" in text, f"{path.name}: {name}"
            marked.append(name)
    assert sorted(marked) == ["Sensor", "SystemLanguage", "reachEdges"]


def test_only_the_list_of_games_can_be_started_from_outside(manifest: ElementTree.Element) -> None:
    exported = {
        item.attrib[ANDROID + "name"].rpartition(".")[2]: item.attrib[ANDROID + "exported"]
        for item in application(manifest)
    }
    assert exported == {
        "GamesActivity": "true",
        "PlayActivity": "false",
        "PeopleActivity": "false",
        "SetUpActivity": "false",
        "LibraryActivity": "false",
        "SettingsActivity": "false",
        "AboutActivity": "false",
        "SelfTestActivity": "false",
    }


def test_every_activity_is_a_class_of_the_app(app: Path, manifest: ElementTree.Element) -> None:
    for item in application(manifest):
        path = item.attrib[ANDROID + "name"].replace(".", "/") + ".kt"
        assert (app / "app" / "src" / "main" / "kotlin" / path).is_file(), path


def room_of(app: Path, package: str) -> Path:
    """The folder of a package, in the module that has it."""
    parts = package.split(".")
    (module,) = [module for module, rooms in MODULES.items() if parts[0] in rooms]
    return app.joinpath(module, "src", "main", "kotlin", "org", "azx", "app", *parts)


def test_each_module_has_its_rooms_in_the_standard_folder_and_the_scripts_name_no_other(app: Path) -> None:
    for module, rooms in MODULES.items():
        root = app / module / "src" / "main" / "kotlin" / "org" / "azx" / "app"
        assert {path.name for path in root.iterdir()} == rooms
        # The Android plugin's own folders: src/main/kotlin, src/test/kotlin and the like.
        script = (app / module / "build.gradle.kts").read_text(encoding="utf-8")
        assert not re.search(r"[sS]ourceSets|srcDir|setSrcDirs", script)
    settings = (app / "settings.gradle.kts").read_text(encoding="utf-8")
    assert re.findall(r"^include\((.+)\)$", settings, re.MULTILINE) == ['":play", ":app"']


def test_no_package_imports_one_above_it(app: Path, properties: dict[str, str]) -> None:
    assert properties["app.package"] == "org.azx.app"
    roots = [app / module / "src" / "main" / "kotlin" / "org" / "azx" / "app" for module in MODULES]
    there = {".".join(path.parent.relative_to(root).parts) for root in roots for path in root.rglob("*.kt")}
    assert there == set(PACKAGES)
    pattern = re.compile(r"^import org\.azx\.app\.([a-z_.]+)\.[A-Z_a-z]", re.MULTILINE)
    for height, package in enumerate(PACKAGES):
        for path in room_of(app, package).glob("*.kt"):
            above = set(pattern.findall(path.read_text(encoding="utf-8"))) - set(PACKAGES[: height + 1])
            assert not above, f"{path.name} imports {', '.join(above)}"


@pytest.mark.parametrize(
    ("file", "parts"),
    [("backup_rules.xml", ["."]), ("data_extraction_rules.xml", ["cloud-backup", "device-transfer"])],
)
def test_nothing_but_the_saved_games_is_backed_up(app: Path, file: str, parts: list[str]) -> None:
    rules = ElementTree.parse(app / "app" / "src" / "main" / "res" / "xml" / file).getroot()  # noqa: S314
    for part in parts:
        found = rules.find(part)
        assert found is not None
        assert [(item.tag, item.attrib) for item in found] == [
            ("include", {"domain": "file", "path": "games"}),
            ("include", {"domain": "sharedpref", "path": "games.xml"}),
        ]


def test_the_backup_rules_are_those_that_the_manifest_names(manifest: ElementTree.Element) -> None:
    attributes = application(manifest).attrib
    assert attributes[ANDROID + "fullBackupContent"] == "@xml/backup_rules"
    assert attributes[ANDROID + "dataExtractionRules"] == "@xml/data_extraction_rules"


def test_the_app_names_the_languages_that_it_has_texts_for(app: Path, texts: dict[str, dict[str, Any]]) -> None:
    listed = ElementTree.parse(app / "app" / "src" / "main" / "res" / "xml" / "locales_config.xml").getroot()  # noqa: S314
    written = {"zh-Hans": "zh-CN"}
    assert [item.attrib[ANDROID + "name"] for item in listed] == [written.get(name, name) for name in texts]


def test_every_problem_that_the_app_finds_has_a_text(app: Path, texts: dict[str, dict[str, Any]]) -> None:
    paths = [path for module in MODULES for path in (app / module / "src" / "main").rglob("*.kt")]
    codes = {code for path in paths for code in re.findall(r'Problem\("(\w+)"', path.read_text("utf-8"))}
    assert {"no_game", "no_artifact", "unreadable_value"} < codes
    for language in texts.values():
        assert {f"problem_{code}" for code in codes} | {"problem_unknown"} <= set(language)


def test_one_file_touches_tensorflow(app: Path) -> None:
    """Packing compiles this file a second time, against the classes that the APK ships."""
    sources = [path for module in MODULES for path in (app / module / "src" / "main").rglob("*.kt")]
    (file,) = [path for path in sources if "org.tensorflow" in path.read_text("utf-8")]
    assert str(file.relative_to(app)) in (app / "app" / "pom.xml").read_text(encoding="utf-8")


def test_the_library_has_no_screen_and_no_text(app: Path) -> None:
    """Of Android it imports the assets alone."""
    for path in (app / "play" / "src" / "main").rglob("*.kt"):
        imports = re.findall(r"^import (android\.\S+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert not [name for name in imports if not name.startswith("android.content.res.Asset")], path.name


def test_the_library_is_built_as_the_app_is(gradle: str, library: str) -> None:
    for name in ("compileSdk", "minSdk"):
        assert setting(library, name) == setting(gradle, name)


@pytest.fixture(scope="module")
def packed(app: Path, pom: ElementTree.Element) -> Path:
    """The library's jar, without its ending."""
    path = app / "play" / "target" / f"azx-play-{pom.findtext(f'{POM}version')}"
    made(path.with_name(f"{path.name}.aar"), app, "android-library")
    return path


def test_the_library_that_was_packed_has_the_rooms_and_their_tables(repository: Path, packed: Path) -> None:
    with zipfile.ZipFile(f"{packed}.jar") as jar:
        names = jar.namelist()
        classes = {name.split("/")[3] for name in names if name.endswith(".class")}
        tables = {name: jar.read(name) for name in names if name.startswith("azx/") and name.endswith(".json")}
    assert classes == MODULES["play"]
    assert {"azx/levels.json", "azx/shapes.json"} <= tables.keys()
    # The door's list is made of that of all formats.
    door = json.loads(tables.pop("azx/tflite_operations.json"))
    listed = json.loads((repository / "validate" / "door" / "operations.json").read_bytes())["tflite"]
    assert door["allowed"] == listed
    assert set(listed) <= set(door["names"])
    for name, text in tables.items():
        assert text == (repository / "games" / "data" / Path(name).name).read_bytes()
    with zipfile.ZipFile(f"{packed}.aar") as aar:
        assert set(aar.namelist()) == {"AndroidManifest.xml", "R.txt", "classes.jar"}
        assert aar.read("classes.jar") == Path(f"{packed}.jar").read_bytes()
        assert b'package="org.azx.play"' in aar.read("AndroidManifest.xml")


@pytest.mark.parametrize(
    ("rooms", "said"), [([*MODULES["play"]], "compressed code"), (["engine"], "of them the engine")]
)
def test_the_library_is_as_small_in_an_app_as_the_document_says(
    repository: Path, app: Path, properties: dict[str, str], tmp_path: Path, rooms: list[str], said: str
) -> None:
    classes = app / "play" / "target" / "classes"
    compiled = classes / "org" / "azx" / "app"
    d8 = Path.home() / ".m2/repository/com/android/tools/r8" / properties["r8.version"]
    d8 /= f"r8-{properties['r8.version']}.jar"
    if not compiled.is_dir() or not d8.is_file():
        pytest.skip("nothing is compiled, or D8 is not there: make apk")
    with zipfile.ZipFile(tmp_path / "rooms.jar", "w") as jar:
        for path in (path for room in rooms for path in (compiled / room).rglob("*.class")):
            jar.write(path, path.relative_to(classes))
    # Without Android's own classes D8 warns, and writes the same code.
    tool("java", "-cp", d8, "com.android.tools.r8.D8", "--release", "--min-api", properties["app.minSdk"],
         "--output", tmp_path / "code.zip", tmp_path / "rooms.jar")  # fmt: skip
    with zipfile.ZipFile(tmp_path / "code.zip") as archive:
        size = archive.getinfo("classes.dex").compress_size / 1_000
    document = (repository / "docs" / "in-your-app.md").read_text(encoding="utf-8")
    written = int(re.findall(rf"(\d+) kB (?:of )?{said}", document)[0])
    assert size == pytest.approx(written, rel=0.03)
    if rooms == ["engine"]:
        assert size <= ENGINE_KB


@pytest.mark.parametrize(("name", "reasons"), SMALL.items())
def test_the_small_bundles_of_the_apps_tests_are_bundles_as_azx_writes_them(
    app: Path, name: str, reasons: list[Problem]
) -> None:
    assert why_not(load_manifest(app / "host" / "src" / "test" / "small" / name)) == reasons


def test_no_text_of_the_app_names_a_place_that_is_not_on_a_phone(texts: dict[str, dict[str, Any]]) -> None:
    for language, own in texts.items():
        for key, text in own.items():
            found = re.findall(r"~/|\.local|/home|/tmp|XDG_\w+|%\w+%", json.dumps(text))
            assert not found, f"{language} {key}: {found}"


def alignments(library: bytes) -> set[int]:
    """To what the parts of an ELF library that are loaded are aligned, as its program headers say."""
    assert library[:4] == b"\x7fELF"
    assert library[5] == 1, "little endian"
    is_wide = library[4] == 2
    if is_wide:
        (start,), (size, count) = struct.unpack_from("<Q", library, 32), struct.unpack_from("<HH", library, 54)
    else:
        (start,), (size, count) = struct.unpack_from("<I", library, 28), struct.unpack_from("<HH", library, 42)
    found = set()
    for at in range(start, start + size * count, size):
        (kind,) = struct.unpack_from("<I", library, at)
        (align,) = struct.unpack_from("<Q", library, at + 48) if is_wide else struct.unpack_from("<I", library, at + 28)
        if kind == LOAD:
            found.add(align)
    return found


def elf(*headers: tuple[int, int], is_wide: bool) -> bytes:
    """An ELF file of program headers alone: the kind and the alignment of each."""
    ident = b"\x7fELF" + bytes([2 if is_wide else 1, 1, 1]) + bytes(9)
    size, begin = (56, 64) if is_wide else (32, 52)
    if is_wide:
        rest = struct.pack("<HHIQQQIHHHHHH", 3, 183, 1, 0, begin, 0, 0, 64, size, len(headers), 0, 0, 0)
        parts = [struct.pack("<IIQQQQQQ", kind, 5, 0, 0, 0, 0, 0, align) for kind, align in headers]
    else:
        rest = struct.pack("<HHIIIIIHHHHHH", 3, 40, 1, 0, begin, 0, 0, 52, size, len(headers), 0, 0, 0)
        parts = [struct.pack("<IIIIIIII", kind, 0, 0, 0, 0, 0, 5, align) for kind, align in headers]
    return ident + rest + b"".join(parts)


@pytest.mark.parametrize("is_wide", [True, False])
def test_the_alignment_of_a_library_is_that_of_the_parts_that_are_loaded(is_wide: bool) -> None:
    other = 0x6474E551
    assert alignments(elf((LOAD, 0x4000), (other, 16), (LOAD, 0x4000), is_wide=is_wide)) == {0x4000}
    assert alignments(elf((other, 0x4000), (LOAD, 0x1000), (LOAD, 0x4000), is_wide=is_wide)) == {0x1000, 0x4000}


def test_gradle_takes_a_runtime_for_pages_of_16_kb(catalog: dict[str, str], gradle: str) -> None:
    assert tuple(int(part) for part in catalog["litert"].split(".")) >= (1, 4, 0)
    assert "tensorflow" not in gradle


def test_what_the_readme_says_of_pages_is_true_of_the_apk(app: Path, apk: Path) -> None:
    with zipfile.ZipFile(apk) as archive:
        names = [name for name in archive.namelist() if name.startswith("lib/") and name.endswith(".so")]
        found = {name: alignments(archive.read(name)) for name in names}
    assert {name.split("/")[1] for name in names} == set(ABIS)
    # Where this fails because they are 0x4000, README's warning has to go.
    assert set().union(*found.values()) == {0x1000}, found
    readme = " ".join((app / "README.md").read_text(encoding="utf-8").split())
    assert "Its native library is aligned to pages of 4 KB (0x1000)" in readme


def test_the_apk_is_below_15_megabytes_with_the_five_games(apk: Path) -> None:
    with zipfile.ZipFile(apk) as archive:
        games = {name.split("/")[2] for name in archive.namelist() if name.endswith(".tflite")}
    if games != SHIPPED:
        pytest.skip(f"the APK holds other games: {', '.join(sorted(games))}")
    assert apk.stat().st_size < LIMIT


def test_the_apk_stores_models_and_resources_uncompressed(apk: Path) -> None:
    with zipfile.ZipFile(apk) as archive:
        stored = {entry.filename: entry.compress_type for entry in archive.infolist()}
    mapped = {name: kind for name, kind in stored.items() if name.endswith(STORED)}
    assert "resources.arsc" in mapped
    assert set(mapped.values()) == {zipfile.ZIP_STORED}


def test_the_apk_is_signed_for_all_androids_that_it_runs_on(apk: Path, properties: dict[str, str]) -> None:
    said = tool("apksigner", "verify", "-v", "--min-sdk-version", properties["app.minSdk"], apk)
    assert re.search(r"v2 scheme.*: true", said)
    assert re.search(r"v3 scheme.*: true", said)


def test_the_apk_is_aligned(apk: Path) -> None:
    assert tool("zipalign", "-c", "4", apk) == ""


def test_the_apk_says_what_the_pom_says(apk: Path, pom: ElementTree.Element, properties: dict[str, str]) -> None:
    said = tool("aapt", "dump", "badging", apk)
    name, version = properties["app.package"], pom.findtext(f"{POM}version")
    assert version
    assert f"package: name='{name}' versionCode='{version_code(version)}' versionName='{version}'" in said
    assert f"sdkVersion:'{properties['app.minSdk']}'" in said
    assert f"targetSdkVersion:'{properties['app.targetSdk']}'" in said
    assert f"launchable-activity: name='{name}.screens.games.GamesActivity'" in said
    assert "native-code: " + " ".join(f"'{abi}'" for abi in ABIS) in said
    assert "uses-permission" not in said


def test_the_apk_holds_every_activity_and_no_instruction_that_android_8_lacks(apk: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(apk) as archive:
        archive.extract("classes.dex", tmp_path)
    # Android 8.0 knows dex version 038; D8 writes 038 for API 26.
    assert (tmp_path / "classes.dex").read_bytes()[:8] == b"dex\n038\x00"
    said = tool("dexdump", "-d", apk)
    for name in ("games/GamesActivity", "play/PlayActivity", "self_test/SelfTestActivity"):
        assert f"Lorg/azx/app/screens/{name};" in said
    assert "invoke-custom" not in said
