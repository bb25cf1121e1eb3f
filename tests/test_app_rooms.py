"""The rooms of the two apps: Kotlin's packages and Swift's modules and folders, none of which imports what imports it.

The page has the same test in its own language (apps/web/tests/house/rooms.test.ts).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path, PurePosixPath

import pytest

# What a room imports, by its folder.
Imports = dict[PurePosixPath, set[PurePosixPath]]
# The text of each source, by its path below the app.
Sources = Mapping[PurePosixPath, str]

# Names of Swift's own library that a room has, too: a call may mean either.
OF_SWIFT = {"zip"}


def sources_of(folder: Path, pattern: str) -> dict[PurePosixPath, str]:
    """All sources below a folder without their comments and plain texts, which import nothing."""
    return {
        PurePosixPath(path.relative_to(folder).as_posix()): without_comments(path.read_text(encoding="utf-8"))
        for path in sorted(folder.rglob(pattern))
    }


def without_comments(text: str) -> str:
    bare = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
    return re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', bare)


def circle_in(imports: Imports) -> list[str]:
    """One circle of rooms, each of which imports the one before it; empty if there is none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return [str(room) for room in error.args[1]]
    return []


def both_ways(imports: Imports) -> list[str]:
    """The folders that import, and are imported by, a folder that they lie in."""
    return sorted(
        str(room)
        for room, others in imports.items()
        if any(parent in others and room in imports.get(parent, set()) for parent in room.parents)
    )


# --- Kotlin: a package is a folder, and is imported by its name -----------------------------------------------------


def packages(app: Path) -> dict[PurePosixPath, str]:
    found: dict[PurePosixPath, str] = {}
    for module in ("play", "app"):
        found |= sources_of(app / module / "src" / "main" / "kotlin" / "org" / "azx" / "app", "*.kt")
    return found


def imports_of_packages(sources: Sources) -> Imports:
    """What packages name of each other, in an import or in the midst of the code."""
    there = {path.parent for path in sources}
    imports: Imports = {package: set() for package in there}
    for path, text in sources.items():
        for name in re.findall(r"\borg\.azx\.app\.((?:[a-z_]+\.)*[a-z_]+)\b", text):
            folder = PurePosixPath(name.replace(".", "/"))
            # The last part may be what is imported, a function.
            package = folder if folder in there else folder.parent
            if package in there and package != path.parent:
                imports[path.parent].add(package)
    return imports


@pytest.fixture(scope="module")
def kotlin(repository: Path) -> dict[PurePosixPath, str]:
    return packages(repository / "apps" / "android")


def test_no_packages_of_android_import_each_other(kotlin: Sources) -> None:
    imports = imports_of_packages(kotlin)
    assert len(imports) > 10
    assert PurePosixPath("play") in imports[PurePosixPath("screens")]
    assert circle_in(imports) == []
    assert both_ways(imports) == []


@pytest.mark.parametrize(
    ("file", "line", "circle", "pair"),
    [
        ("play/Session.kt", "import org.azx.app.play.table.Table", True, ["play/table"]),
        ("engine/State.kt", "import org.azx.app.engine.games.isForcedPass", True, ["engine/games"]),
        ("engine/State.kt", "val words = org.azx.app.screens.Words()", True, []),
        ("screens/Words.kt", "import org.azx.app.engine.State", False, []),
    ],
)
def test_an_import_that_is_planted_in_android_is_found(
    kotlin: Sources, file: str, line: str, circle: bool, pair: list[str]
) -> None:
    path = PurePosixPath(file)
    imports = imports_of_packages({**kotlin, path: f"{kotlin[path]}\n{line}\n"})
    assert bool(circle_in(imports)) == circle
    assert both_ways(imports) == pair


# --- Swift: modules import each other by name, folders of one module need no import ---------------------------------


def targets(package: str) -> dict[str, tuple[str, set[str]]]:
    """The folder and the dependencies of each module of the app, as Package.swift has them."""
    found = {}
    for text in re.split(r"\n {8}\.", package):
        name, path = re.search(r'name: "([\w-]+)"', text), re.search(r'path: "apps/ios/Sources/(\w+)"', text)
        if name and path and not text.startswith("systemLibrary"):
            found[name[1]] = (path[1], set(re.findall(r'"(Azx\w+)"', text)) - {name[1]})
    return found


def undeclared(sources: Sources, modules: Mapping[str, tuple[str, set[str]]]) -> list[str]:
    """The imports that Package.swift does not give to their module: Swift finds what was built before all the same."""
    found = []
    for folder, needed in modules.values():
        for path, text in sources.items():
            if path.parts[0] == folder:
                named = set(re.findall(r"^\s*(?:@\w+ )*import (?:\w+ )?(Azx\w+)", text, re.MULTILINE))
                found += [f"{path}: {name}" for name in sorted(named - needed)]
    return found


DECLARED = re.compile(
    r"^(?P<marks>(?:@\w+(?:\([^)]*\))? |[a-z]+(?:\(set\))? )*)"
    r"(?:class|struct|enum|actor|protocol|typealias|func|let|var) `?(?P<name>\w+)",
    re.MULTILINE,
)


def declared_in(text: str) -> Iterator[str]:
    """The names that the rest of a module can use: those of the outermost level."""
    for found in DECLARED.finditer(text):
        if "private" not in found["marks"]:
            yield found["name"]


def used_in(text: str) -> set[str]:
    """The types and functions that a source names and does not declare itself, at any level."""
    types = set(re.findall(r"(?<![.\w])[A-Z]\w+", text))
    functions = set(re.findall(r"(?<![.\w`])(?<!func )([a-z]\w+)\(", text))
    own = set(re.findall(r"\b(?:class|struct|enum|actor|protocol|typealias|func|let|var|case) `?(\w+)", text))
    return (types | functions) - own - set(re.findall(r"(\w+):", text)) - OF_SWIFT


def imports_of_folders(sources: Sources) -> Imports:
    """What the folders of each module use of each other, by names that one file of the module declares."""
    owners: dict[tuple[str, str], set[PurePosixPath]] = {}
    for path, text in sources.items():
        for name in declared_in(text):
            owners.setdefault((path.parts[0], name), set()).add(path)
    imports: Imports = {path.parent: set() for path in sources}
    for path, text in sources.items():
        for name in used_in(text):
            places = owners.get((path.parts[0], name), set())
            if len(places) == 1:
                imports[path.parent] |= {place.parent for place in places} - {path.parent}
    return imports


@pytest.fixture(scope="module")
def swift(repository: Path) -> dict[PurePosixPath, str]:
    return sources_of(repository / "apps" / "ios" / "Sources", "*.swift")


@pytest.fixture(scope="module")
def modules(repository: Path) -> dict[str, tuple[str, set[str]]]:
    return targets((repository / "Package.swift").read_text(encoding="utf-8"))


def test_each_module_of_ios_imports_what_the_package_gives_to_it(
    swift: Sources, modules: dict[str, tuple[str, set[str]]]
) -> None:
    folders = {folder for folder, _ in modules.values()}
    assert folders == {path.parts[0] for path in swift}
    assert undeclared(swift, modules) == []
    rooms = {PurePosixPath(name): {PurePosixPath(each) for each in needed} for name, (_, needed) in modules.items()}
    assert circle_in(rooms) == []
    path = PurePosixPath("Engine/State.swift")
    assert undeclared({path: "@testable import AzxScreens\n"}, modules) == [f"{path}: AzxScreens"]


def test_no_folders_of_ios_use_each_other(swift: Sources) -> None:
    imports = imports_of_folders(swift)
    assert len(imports) > 15
    assert PurePosixPath("Engine/games") in imports[PurePosixPath("Engine/known")]
    assert circle_in(imports) == []
    assert both_ways(imports) == []


@pytest.mark.parametrize(
    ("file", "line", "pair"),
    [
        ("Engine/State.swift", "func begun() -> any State { Hex(size: 3) }", ["Engine/games"]),
        ("Bundle/Store.swift", "var given: GivenBundles?", ["Bundle/given"]),
        ("Bundle/Index.swift", "let fault = findFault(inPackage: [:], of: name)", ["Bundle/door"]),
        ("Engine/games/Hex.swift", "// A Game of the catalogue", []),
    ],
)
def test_a_use_that_is_planted_in_ios_is_found(swift: Sources, file: str, line: str, pair: list[str]) -> None:
    path = PurePosixPath(file)
    imports = imports_of_folders({**swift, path: without_comments(f"{swift[path]}\n{line}\n")})
    assert both_ways(imports) == pair
    assert bool(circle_in(imports)) == bool(pair)
