"""The iOS app's Xcode project, catalogs and sources agree with each other; Xcode cannot run where these tests run."""

from __future__ import annotations

import json
import plistlib
import re
import runpy
import struct
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from source_tree import source_files

import azx

Object = dict[str, Any]

# An old-style property list: comments and blanks, a text in quotes, a bare text, or a mark.
TOKEN = re.compile(r'\s+|//[^\n]*|/\*.*?\*/|"((?:[^"\\]|\\.)*)"|([\w./$-]+)|([{}()=;,])', re.DOTALL)
ID = re.compile(r"[0-9A-F]{24}")
# A text that the catalog lacks is shown as its key: every name in quotes is one, but for these.
NAMES = re.compile(r'"([a-z0-9_]+)"')
NO_TEXTS = {"ios", "units", "models", "rule", "size", "_"}
NO_TEXTS |= {"connect4", "tictactoe", "dots_and_boxes", "gomoku", "go", "reversi", "hex"}
# Names of planes, whose texts begin with "sees_".
PLANES = {"mover", "opponent", "player0", "player1", "empty", "last", "ones", "zeros", "signed", "codes", "marks"}
PLANES |= {"player0_to_move", "player1_to_move", "turn_player0", "turn_player1"}
# Symbols of the system, and what the UI test finds a view by.
NO_TEXTS |= {"cpu", "gearshape", "shippingbox", "checkmark", "board", "people"}
# Endings of files.
NO_TEXTS |= {"sgf", "txt"}
PLACE = re.compile(r"%(\d+)\$(?:@|lld|s|d)")


def tokens(text: str) -> Iterator[str | tuple[str]]:
    """The marks as texts, the texts as tuples of one."""
    at = 0
    while at < len(text):
        found = TOKEN.match(text, at)
        assert found, f"no token at {text[at : at + 40]!r}"
        quoted, bare, mark = found.groups()
        if mark:
            yield mark
        elif bare is not None or quoted is not None:
            yield (bare if bare is not None else quoted,)
        at = found.end()


def parse(text: str) -> Any:
    """The value that an old-style property list has; AssertionError where it is none, or says a key twice."""
    stream = tokens(text)

    def value(token: str | tuple[str]) -> Any:
        if isinstance(token, tuple):
            return token[0]
        if token == "(":
            items = []
            while (token := next(stream)) != ")":
                items.append(value(token))
                if (token := next(stream)) == ")":
                    break
                assert token == ","
            return items
        assert token == "{"
        members: Object = {}
        while (token := next(stream)) != "}":
            assert isinstance(token, tuple), token
            assert token[0] not in members, f"{token[0]} is there twice"
            assert next(stream) == "="
            members[token[0]] = value(next(stream))
            assert next(stream) == ";"
        return members

    found = value(next(stream))
    assert next(stream, None) is None
    return found


def texts(value: Any) -> Iterator[str]:
    """Every text in a value, the keys left out."""
    if isinstance(value, str):
        yield value
    else:
        for item in value.values() if isinstance(value, dict) else value:
            yield from texts(item)


@pytest.fixture(scope="module")
def app(repository: Path) -> Path:
    """The app's folder, its texts and tables written as `make ios` does."""
    subprocess.run([sys.executable, "-P", repository / "apps/tools/write_texts.py", "ios"], check=True)
    return repository / "apps" / "ios"


@pytest.fixture(scope="module")
def project(app: Path) -> Object:
    found: Object = parse((app / "Azx.xcodeproj" / "project.pbxproj").read_text())
    return found


@pytest.fixture(scope="module")
def objects(project: Object) -> dict[str, Object]:
    found: dict[str, Object] = project["objects"]
    return found


@pytest.fixture(scope="module")
def target(objects: dict[str, Object]) -> Object:
    """The app's target."""
    return of_product(objects, "application")


@pytest.fixture(scope="module")
def tests(objects: dict[str, Object]) -> Object:
    """The target of the tests that run in the app."""
    return of_product(objects, "bundle.unit-test")


@pytest.fixture(scope="module")
def pictures(objects: dict[str, Object]) -> Object:
    """The target of the UI test, which walks through every screen."""
    return of_product(objects, "bundle.ui-testing")


@pytest.fixture(scope="module")
def catalog(app: Path) -> dict[str, Object]:
    data = json.loads((app / "App" / "Localizable.xcstrings").read_text(encoding="utf8"))
    assert (data["sourceLanguage"], data["version"]) == ("en", "1.0")
    found: dict[str, Object] = data["strings"]
    return found


def of_kind(objects: dict[str, Object], kind: str) -> list[Object]:
    return [found for found in objects.values() if found["isa"] == kind]


def of_product(objects: dict[str, Object], kind: str) -> Object:
    (found,) = (
        target
        for target in of_kind(objects, "PBXNativeTarget")
        if target["productType"] == f"com.apple.product-type.{kind}"
    )
    return found


def settings(objects: dict[str, Object], owner: Object) -> dict[str, dict[str, str]]:
    """The build settings of a project or a target, by the configuration's name."""
    configurations = objects[owner["buildConfigurationList"]]["buildConfigurations"]
    return {objects[key]["name"]: objects[key]["buildSettings"] for key in configurations}


@pytest.mark.parametrize(
    "broken", ["{ a = b }", "{ a = (b c); }", "{ a = 1; a = 2; }", "( a, b", "{ a = b; } c", "{ ' = b; }"]
)
def test_a_damaged_project_is_not_read(broken: str) -> None:
    with pytest.raises((AssertionError, StopIteration)):
        parse(broken)


def test_every_object_is_there_once_and_used(project: Object, objects: dict[str, Object]) -> None:
    used = Counter(text for text in texts(project) if ID.fullmatch(text))
    assert used.keys() == objects.keys(), used.keys() ^ objects.keys()
    for kind in ("PBXBuildFile", "PBXSourcesBuildPhase", "XCBuildConfiguration", "XCConfigurationList"):
        for key, found in objects.items():
            assert found["isa"] != kind or used[key] == 1, f"{key} is used {used[key]} times"
    assert project["objectVersion"] == "77"
    assert objects[project["rootObject"]]["isa"] == "PBXProject"


def test_the_targets_sources_are_their_folders_as_they_stand(
    app: Path, objects: dict[str, Object], target: Object, tests: Object, pictures: Object
) -> None:
    wanted = {
        "App": (target, {"AzxApp.swift", "PrivacyInfo.xcprivacy", "Localizable.xcstrings"}),
        "AppTests": (tests, {"InstalledTests.swift"}),
        "UITests": (pictures, {"PicturesTests.swift"}),
    }
    for path, (owner, expected) in wanted.items():
        phases = [objects[key] for key in owner["buildPhases"]]
        assert [phase["isa"].removeprefix("PBX") for phase in phases] == [
            "SourcesBuildPhase",
            "FrameworksBuildPhase",
            "ResourcesBuildPhase",
        ]
        (folder,) = (objects[key] for key in owner["fileSystemSynchronizedGroups"])
        assert (folder["path"], phases[0]["files"], folder.get("exceptions", [])) == (path, [], [])
        names = {each.relative_to(app / path).as_posix() for each in (app / path).rglob("*") if each.is_file()}
        assert expected <= names
        # The plist is made from the settings: one in the folder would be copied beside it, and the build end. What the
        # app's settings cannot say lies elsewhere.
        assert not [name for name in names if name.endswith(".plist") or ".mlpackage" in name]
        for values in settings(objects, owner).values():
            assert values["GENERATE_INFOPLIST_FILE"] == "YES"
            assert values.get("INFOPLIST_FILE") == ("Info.plist" if path == "App" else None)


def test_every_source_is_in_one_target_of_the_project_or_of_the_package(app: Path, objects: dict[str, Object]) -> None:
    package = (app.parents[1] / "Package.swift").read_text()
    folders = re.findall(r'path: "apps/ios/([^"]+)"', package)
    assert package.count('path: "') == len(folders)
    folders += [group["path"] for group in of_kind(objects, "PBXFileSystemSynchronizedRootGroup")]
    assert len(set(folders)) == len(folders) > 15
    for folder in folders:
        assert (app / folder).is_dir(), f"{folder} is not there"
    listed = set(source_files(app, ".swift"))
    apart = ["Tests/Declarations", "Tests/Outside"]
    for source in listed:
        name = source.relative_to(app).as_posix()
        # What tools/app.sh and tools/outside.sh compile is nothing of the package's.
        owners = [folder for folder in [*folders, *apart] if name.startswith(f"{folder}/")]
        assert len(owners) == 1, f"{name} is in {owners}"


def test_the_apps_tests_run_in_the_app(
    app: Path, objects: dict[str, Object], target: Object, tests: Object, pictures: Object
) -> None:
    (main,) = of_kind(objects, "PBXProject")
    assert [objects[key] for key in main["targets"]] == [target, tests, pictures]
    (app_id,) = (key for key, found in objects.items() if found is target)
    (tests_id,) = (key for key, found in objects.items() if found is tests)
    # A unit test names its host by these; TEST_TARGET_NAME is what a UI test has.
    assert main["attributes"]["TargetAttributes"][tests_id]["TestTargetID"] == app_id
    assert settings(objects, tests).keys() == {"Debug", "Release"}
    product = objects[target["productReference"]]["path"]
    for values in settings(objects, tests).values():
        host = f"$(BUILT_PRODUCTS_DIR)/{product}/$(BUNDLE_EXECUTABLE_FOLDER_PATH)/{product.removesuffix('.app')}"
        assert (values["TEST_HOST"], values["BUNDLE_LOADER"]) == (host, "$(TEST_HOST)")
        assert values["SWIFT_VERSION"] == "6.0"
        bundle = settings(objects, target)["Debug"]["PRODUCT_BUNDLE_IDENTIFIER"]
        assert values["PRODUCT_BUNDLE_IDENTIFIER"] == f"{bundle}.tests"
    # The app is built first, and its internals can be seen in Debug, with which the scheme tests.
    (dependency,) = (objects[key] for key in tests["dependencies"])
    proxy = objects[dependency["targetProxy"]]
    assert (dependency["target"], proxy["remoteGlobalIDString"], proxy["remoteInfo"]) == (
        app_id,
        app_id,
        target["name"],
    )
    assert settings(objects, main)["Debug"]["ENABLE_TESTABILITY"] == "YES"
    # They link what they use, as the app does. Xcode makes a product that two targets link one dynamic library, so that
    # no type is there twice: unless it is said to be static, or is called like one of its targets.
    (product,) = (objects[key] for key in tests["packageProductDependencies"])
    (build,) = (objects[key] for key in objects[tests["buildPhases"][1]]["files"])
    assert objects[build["productRef"]] is product
    (owns,) = (objects[key] for key in target["packageProductDependencies"])
    assert (product["productName"], product["package"]) == (owns["productName"], owns["package"])
    package = (app.parents[1] / "Package.swift").read_text()
    assert "type: .static" not in package
    assert f'.target(name: "{product["productName"]}"' not in package
    sources = "".join(source.read_text() for source in (app / "AppTests").rglob("*.swift"))
    assert f"@testable import {target['name']}\n" in sources


def test_the_ui_test_launches_the_app_and_names_what_is_there(
    app: Path, catalog: dict[str, Object], objects: dict[str, Object], target: Object, pictures: Object
) -> None:
    for built in settings(objects, pictures).values():
        assert (built["TEST_TARGET_NAME"], built["SWIFT_VERSION"]) == (target["name"], "6.0")
        assert "TEST_HOST" not in built
    (dependency,) = (objects[key] for key in pictures["dependencies"])
    assert objects[dependency["target"]] is target
    source = (app / "UITests" / "PicturesTests.swift").read_text()
    views = "".join(path.read_text() for path in (app / "App").rglob("*.swift"))
    for found in re.findall(r'\.accessibilityIdentifier\("(.+?)"\)', views):
        # What stands behind the first word is a bundle's name.
        assert f'"{found.split()[0]}' in source
    english = [text for entry in catalog.values() for text in values(entry, "en").values()]
    labels = re.findall(r"for (?:text|tab) in \[(.+?)\]", source)
    assert len(labels) == 2
    for label in ["Undo", *re.findall(r'"(.+?)"', " ".join(labels))]:
        assert f'"{label}"' in source
        assert label in english


def test_a_point_names_its_module_where_apple_has_one_too(app: Path) -> None:
    """MacTypes.h has a Point, which Linux has not: a bare one is ambiguous on Apple's systems alone."""
    for source in source_files(app, ".swift"):
        text = source.read_text()
        relative = source.relative_to(app).as_posix()
        if relative.startswith(("Sources/Drawing/", "Tests/Declarations/")) or "import AzxDrawing" not in text:
            continue
        bare = [line for line in text.splitlines() if re.search(r"(?<![\w.])Point\b", line.split("//")[0])]
        assert not bare, f"{relative}: {bare[0].strip()}"


def test_every_declaration_has_its_page_and_is_no_newer_than_the_app(app: Path, objects: dict[str, Object]) -> None:
    """Linux does not look at availability."""
    (main,) = of_kind(objects, "PBXProject")
    oldest = int(settings(objects, main)["Debug"]["IPHONEOS_DEPLOYMENT_TARGET"].split(".")[0])
    page = re.compile(r"\s*/// https://developer\.apple\.com/documentation/\S+ \(iOS (\d+)\)$")
    declared = re.compile(r"(?:@\S+ )*(?:public|open) (?:final )?(?:struct|class|enum|protocol) (\w+)")
    own = {"Shown", "GestureStateGesture", "_ChangedGesture", "_EndedGesture"}
    found: set[str] = set()
    for source in sorted((app / "Tests" / "Declarations").glob("*.swift")):
        before = ""
        for line in source.read_text().splitlines():
            versions = page.match(line)
            assert versions is None or int(versions[1]) <= oldest, f"{source.name}: {line}"
            if (name := declared.match(line)) and name[1] not in own:
                found.add(name[1])
                assert page.match(before) or before.startswith("/// https"), f"{source.name}: {name[1]} has no page"
            before = line
    assert len(found) > 100
    # Of the deployment target's own: what is newer would be seen here first.
    assert {"ContentUnavailableView", "SensoryFeedback", "MLComputeDevice"} <= found


def test_no_view_is_one_long_expression(app: Path) -> None:
    """The compiler's time grows with a chain of modifiers and with what is in its closures; Linux cannot measure it."""
    for source in (app / "App").rglob("*.swift"):
        lines = source.read_text().splitlines()
        for at, line in enumerate(lines):
            if not re.search(r"(some View|some Scene) \{$", line):
                continue
            indent = len(line) - len(line.lstrip())
            end = next(row for row in range(at + 1, len(lines)) if lines[row] == " " * indent + "}")
            modifiers = [row for row in lines[at:end] if re.match(rf" {{{indent + 4},{indent + 8}}}\.\w", row)]
            assert len(modifiers) <= 10, f"{source.name}:{at + 1}: {len(modifiers)} modifiers"
            assert end - at <= 45, f"{source.name}:{at + 1}: {end - at} lines"


def test_bundles_are_copied_as_a_folder_from_where_azx_installs_them(
    app: Path, objects: dict[str, Object], target: Object
) -> None:
    resources = objects[target["buildPhases"][2]]["files"]
    (folder,) = (objects[objects[key]["fileRef"]] for key in resources)
    assert (folder["lastKnownFileType"], folder["path"]) == ("folder", "Resources/azx")
    # Byte for byte: no folder that Xcode compiles or flattens has it in it, no script or build rule touches it.
    groups = of_kind(objects, "PBXFileSystemSynchronizedRootGroup")
    assert not [group["path"] for group in groups if f"{folder['path']}/".startswith(f"{group['path']}/")]
    assert target["buildRules"] == []
    kinds = {found["isa"] for found in objects.values()}
    assert not kinds & {"PBXShellScriptBuildPhase", "PBXBuildRule", "PBXFileSystemSynchronizedBuildFileExceptionSet"}
    copied = re.findall(r'path: "([^"]+)",\s*resources: \[(.+?)\]', (app.parents[1] / "Package.swift").read_text())
    assert copied == [
        (f"apps/ios/Sources/{room}", '.process("Resources")') for room in ("Engine", "Bundle", "SelfTest")
    ]
    # An app without bundles says so itself, where the build would say that a folder is missing.
    assert (app / "Resources" / "azx" / ".gitkeep").is_file()
    store = (app / "Sources" / "Bundle" / "Store.swift").read_text()
    assert 'static let folder = "azx"' in store


def test_the_package_of_the_checkout_has_the_product(app: Path, objects: dict[str, Object], target: Object) -> None:
    (product,) = (objects[key] for key in target["packageProductDependencies"])
    (build,) = (objects[key] for key in objects[target["buildPhases"][1]]["files"])
    assert objects[build["productRef"]] is product
    where = objects[product["package"]]
    (main,) = of_kind(objects, "PBXProject")
    assert main["packageReferences"] == [product["package"]]
    assert (app / where["relativePath"]).resolve() == app.parents[1]
    assert (app / where["relativePath"] / "Package.swift").is_file()
    package = (app / where["relativePath"] / "Package.swift").read_text()
    library = re.search(r'\.library\(\s*name: "Azx",\s*targets: \[([^\]]+)\]\)', package)
    assert library
    assert product["productName"] == "Azx"
    modules = set(re.findall(r'"(\w+)"', library[1]))
    # A product called like the target would be built to the same file.
    assert target["name"] != "Azx"
    for source in (app / "App").rglob("*.swift"):
        imports = set(re.findall(r"^import (Azx\w+)", source.read_text(), re.MULTILINE))
        assert imports <= modules, f"{source.name} imports what the product does not have"


def test_one_file_names_core_ml(app: Path) -> None:
    sources = [source for folder in ("App", "Sources") for source in (app / folder).rglob("*.swift")]
    named = [source for source in sources if re.search(r"^\s*import CoreML$", source.read_text(), re.MULTILINE)]
    assert [source.relative_to(app).as_posix() for source in named] == ["Sources/CoreML/CoreMLEvaluator.swift"]
    # Elsewhere than on Apple's systems the module is empty.
    text = named[0].read_text()
    assert text.split("\n", 2)[1] == "#if canImport(CoreML)"
    assert text.endswith("\n#endif\n")


def test_both_configurations_build_swift_6_for_ios_17(objects: dict[str, Object], target: Object) -> None:
    (main,) = of_kind(objects, "PBXProject")
    assert settings(objects, main).keys() == settings(objects, target).keys() == {"Debug", "Release"}
    debug, release = settings(objects, target).values()
    assert debug == release
    assert (debug["SWIFT_VERSION"], debug["TARGETED_DEVICE_FAMILY"]) == ("6.0", "1,2")
    assert (debug["ASSETCATALOG_COMPILER_APPICON_NAME"], debug["INFOPLIST_KEY_ITSAppUsesNonExemptEncryption"]) == (
        "AppIcon",
        "NO",
    )
    assert debug["MARKETING_VERSION"] == azx.__version__
    assert {values["IPHONEOS_DEPLOYMENT_TARGET"] for values in settings(objects, main).values()} == {"17.0"}
    assert "zh-Hans" in main["knownRegions"]


def test_the_app_offers_to_open_bundles_and_records(app: Path, objects: dict[str, Object], target: Object) -> None:
    """No key of the project has document types: they are in a file that Xcode merges with what it makes of the keys."""
    for values in settings(objects, target).values():
        assert (values["GENERATE_INFOPLIST_FILE"], values["INFOPLIST_FILE"]) == ("YES", "Info.plist")
    plist = plistlib.loads((app / "Info.plist").read_bytes())
    offered = [kind for each in plist["CFBundleDocumentTypes"] for kind in each["LSItemContentTypes"]]
    assert offered == ["public.zip-archive", "com.red-bean.sgf"]
    # What is opened stays where it is, so no copy of it is left in the app.
    assert plist["LSSupportsOpeningDocumentsInPlace"] is True
    (sgf,) = plist["UTImportedTypeDeclarations"]
    assert sgf["UTTypeIdentifier"] == offered[1]
    assert sgf["UTTypeTagSpecification"]["public.filename-extension"] == ["sgf"]
    # No key is said twice.
    assert not {f"INFOPLIST_KEY_{key}" for key in plist} & settings(objects, target)["Debug"].keys()


@pytest.mark.parametrize(("name", "wanted"), [("AzxApp", "AzxAppTests"), ("AzxPictures", "AzxUITests")])
def test_a_shared_scheme_names_the_targets(app: Path, objects: dict[str, Object], name: str, wanted: str) -> None:
    folder = app / "Azx.xcodeproj" / "xcshareddata" / "xcschemes"
    assert {path.stem for path in folder.iterdir()} == {"AzxApp", "AzxPictures"}
    root = ElementTree.parse(folder / f"{name}.xcscheme").getroot()  # noqa: S314 (our own file)
    found = list(root.iter("BuildableReference"))
    assert found
    for reference in found:
        target = objects[reference.attrib["BlueprintIdentifier"]]
        assert (reference.attrib["BlueprintName"], reference.attrib["BuildableName"]) == (
            target["name"],
            objects[target["productReference"]]["path"],
        )
        assert reference.attrib["ReferencedContainer"] == "container:Azx.xcodeproj"
    assert {"BuildAction", "TestAction", "LaunchAction", "ArchiveAction"} <= {action.tag for action in root}
    testables = root.findall("TestAction/Testables/TestableReference")
    assert [testable.attrib["skipped"] for testable in testables] == ["NO"]
    (tested,) = (each.attrib["BlueprintName"] for testable in testables for each in testable)
    assert tested == wanted
    (action,) = root.findall("TestAction")
    assert action.attrib["buildConfiguration"] == "Debug"


def test_the_privacy_manifest_says_that_choices_are_kept_and_nothing_else(app: Path) -> None:
    privacy = plistlib.loads((app / "App" / "PrivacyInfo.xcprivacy").read_bytes())
    assert privacy["NSPrivacyTracking"] is False
    assert privacy["NSPrivacyCollectedDataTypes"] == []
    kinds = {
        kind["NSPrivacyAccessedAPIType"]: kind["NSPrivacyAccessedAPITypeReasons"]
        for kind in privacy["NSPrivacyAccessedAPITypes"]
    }
    assert kinds == {"NSPrivacyAccessedAPICategoryUserDefaults": ["CA92.1"]}
    sources = "".join(path.read_text() for folder in ("App", "Sources") for path in (app / folder).rglob("*.swift"))
    assert "UserDefaults" in sources
    # What else Apple wants a reason for.
    for name in ("systemUptime", "mach_absolute_time", "creationDate", "volumeAvailableCapacity"):
        assert name not in sources


def test_no_source_names_what_could_open_a_connection(app: Path) -> None:
    """The app does without a network: it plays, opens and shares where there is none."""
    sources = [path for folder in ("App", "Sources") for path in (app / folder).rglob("*.swift")]
    assert len(sources) > 100
    connects = re.compile(
        r"URLSession|URLRequest|NWConnection|NWListener|NetService|CFSocket|CFStream|WKWebView|AsyncImage|\bsocket\("
        r"|^import (Network|WebKit|MultipeerConnectivity|FoundationNetworking)$",
        re.MULTILINE,
    )
    assert connects.search("import Network\n")
    for source in sources:
        found = connects.search(source.read_text())
        assert found is None, f"{source.name}: {found and found[0]}"


def test_the_icon_is_the_webs_without_alpha(app: Path) -> None:
    assets = app / "App" / "Assets.xcassets"
    for contents in assets.rglob("Contents.json"):
        assert json.loads(contents.read_text())["info"] == {"author": "xcode", "version": 1}
    (image,) = json.loads((assets / "AppIcon.appiconset" / "Contents.json").read_text())["images"]
    icon = (assets / "AppIcon.appiconset" / image["filename"]).read_bytes()
    width, height, depth, kind = struct.unpack(">IIBB", icon[16:26])
    assert (f"{width}x{height}", depth, kind) == (image["size"], 8, 2)
    drawn = runpy.run_path(str(app / "tools" / "icon.py"))
    made: bytes = drawn["png"](drawn["pixels"](drawn["DRAWING"]))
    # The packing is zlib's own affair: behind the header there is one chunk of rows, and the end.
    assert zlib.decompress(icon[41:-16]) == zlib.decompress(made[41:-16])


def values(entry: Object, language: str) -> dict[str, str]:
    """The texts of a catalog's entry by quantity; a text without quantities is "other"."""
    found = entry["localizations"][language]
    if "stringUnit" in found:
        return {"other": found["stringUnit"]["value"]}
    return {name: unit["stringUnit"]["value"] for name, unit in found["variations"]["plural"].items()}


def test_every_text_is_there_in_both_languages_with_the_same_places(catalog: dict[str, Object]) -> None:
    for key, entry in catalog.items():
        assert entry["localizations"].keys() == {"en", "zh-Hans"}, key
        (english, chinese) = (values(entry, language)["other"] for language in ("en", "zh-Hans"))
        assert english.strip(), key
        assert chinese.strip(), key
        assert set(PLACE.findall(english)) == set(PLACE.findall(chinese)), key
        for text in (english, chinese):
            assert "%" not in PLACE.sub("", text).replace("%%", ""), f"{key}: {text}"
            # A text without places is never given to a formatter.
            assert PLACE.search(text) or "%%" not in text, key


def test_what_the_sources_say_is_in_the_catalog(app: Path, catalog: dict[str, Object]) -> None:
    used = {
        name
        for folder in ("App", "Sources/Screens")
        for source in (app / folder).rglob("*.swift")
        for name in NAMES.findall(source.read_text())
    }
    assert len(used) > 100
    named = (used - NO_TEXTS - PLANES) | {f"sees_{plane}" for plane in PLANES}
    assert named <= catalog.keys(), sorted(named - catalog.keys())


def test_every_error_and_problem_of_a_bundle_has_a_text_with_its_places(app: Path, catalog: dict[str, Object]) -> None:
    sources = "".join(path.read_text() for path in (app / "Sources").rglob("*.swift"))
    found = [(key, rest) for key, rest in re.findall(r'BundleError\(\s*"(\w+)"((?:[^()]|\([^()]*\))*)\)', sources)]
    found += [
        (f"problem_{code}", rest) for code, rest in re.findall(r'Problem\("(\w+)"((?:[^()]|\([^()]*\))*)\)', sources)
    ]
    assert len(found) > 50
    for key, rest in found:
        # A place that asks a function for its text has commas of its own.
        places = len(re.findall(r",", re.sub(r'"[^"]*"|\([^()]*\)', "", rest)))
        assert places == len(set(PLACE.findall(values(catalog[key], "en")["other"]))), key


def test_git_has_the_tables_for_whoever_adds_the_package_by_its_address(repository: Path) -> None:
    """SwiftPM clones the repository and runs nothing of it: write_texts.py has to have written them before a commit."""
    if not (repository / ".git").exists():
        pytest.skip("this is no clone")
    listed = subprocess.run(
        ["git", "ls-files", "--stage", "apps/ios/Sources/Engine/Resources"],
        cwd=repository,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    tables = {path.name for path in (repository / "games" / "data").glob("*.json")} - {"probe.json"}
    assert {Path(line.split()[-1]).name for line in listed} == tables
    for line in listed:
        kept = subprocess.run(
            ["git", "cat-file", "blob", line.split()[1]], cwd=repository, capture_output=True, check=True
        ).stdout
        name = Path(line.split()[-1]).name
        assert kept == (repository / "games" / "data" / name).read_bytes(), f"git add apps/ios/.../{name}"


def test_the_door_reads_the_list_of_operations_of_every_command(app: Path, repository: Path) -> None:
    (copy,) = (app / "Sources" / "Bundle" / "Resources").iterdir()
    assert copy.name == "operations.json"
    assert copy.read_bytes() == (repository / "validate" / "door" / "operations.json").read_bytes()
    if not (repository / ".git").exists():
        pytest.skip("this is no clone")
    # As of the tables: a clone that SwiftPM makes has to have it.
    kept = subprocess.run(
        ["git", "show", f":{copy.relative_to(repository)}"], cwd=repository, capture_output=True, check=True
    ).stdout
    assert kept == copy.read_bytes(), "git add apps/ios/Sources/Bundle/Resources/operations.json"


def test_the_page_about_the_app_has_its_version_its_licence_and_what_it_does_with_data(
    app: Path, repository: Path, objects: dict[str, Object], target: Object
) -> None:
    assert (app / "App" / "Licence.txt").read_bytes() == (repository / "LICENSE").read_bytes()
    source = (app / "App" / "AboutAppScreen.swift").read_text()
    assert 'forResource: "Licence", withExtension: "txt"' in source
    assert {"about_title", "about_version", "about_privacy", "about_privacy_text", "about_licences"} <= set(
        NAMES.findall(source)
    )
    assert "AboutAppScreen()" in (app / "App" / "SettingsScreen.swift").read_text(), "no row leads there"
    for values in settings(objects, target).values():
        assert values["MARKETING_VERSION"] == azx.__version__


def test_a_store_sees_four_in_a_row(
    app: Path, objects: dict[str, Object], target: Object, catalog: dict[str, Object]
) -> None:
    """The game of four discs by the name that is nobody's mark, wherever a person or a store reads it."""
    for key, entry in catalog.items():
        # In small letters it is a word of a notation.
        assert "Connect4" not in json.dumps(entry["localizations"]["en"]).replace(" ", ""), key
    assert "Four in a row" in values(catalog["game_connect4"], "en").values()
    assert "connect" not in (app / "Info.plist").read_text().lower()
    for own in settings(objects, target).values():
        assert "connect" not in str(own["INFOPLIST_KEY_CFBundleDisplayName"]).lower()


def test_the_tables_and_the_commands_texts_are_those_of_the_project(app: Path, repository: Path) -> None:
    # The positions of the probe are for Python alone.
    tables = sorted(path for path in (repository / "games" / "data").glob("*.json") if path.name != "probe.json")
    copies = sorted((app / "Sources" / "Engine" / "Resources").iterdir())
    assert [(path.name, path.read_bytes()) for path in copies] == [(path.name, path.read_bytes()) for path in tables]
    english = json.loads((repository / "apps" / "texts" / "en.json").read_text(encoding="utf8"))
    own = json.loads((app / "Sources" / "SelfTest" / "Resources" / "en.json").read_text(encoding="utf8"))
    assert own["error_hash"] == english["error_hash"]
    assert own["error_no_artifact"] == english["error_no_artifact"]["ios"]
