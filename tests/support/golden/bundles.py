"""Golden files of bad bundles: how each is made from a good one, and the message that a person sees.

A case is a recipe, as the bundles themselves are of many formats and some would be large. `EDITS` says what the steps
do, `key` is that of the message, in apps/texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Case = dict[str, Any]
Edit = dict[str, Any]
Outcome = tuple[str, str | None]

# What a step does to a file: `index`, `manifest` and `golden` are those JSON files, `model` is a file of the network.
EDITS = {
    "remove": "take the file away",
    "cut": "keep the first half of its bytes",
    "change": "make the byte in the middle another one",
    "write": "put `text` in place of all",
    "fill": "put `text` in place of all, `times` times",
    "replace": "put `new` in place of `old` where that first stands",
    "begin": "put `text` behind the first {",
    "end": "put `text` before the last }",
    "set": "put `value` `at` a place: names and numbers, * for each member or item",
    "unset": "take what is `at` a place away",
}
# Where a person sees it: in place of the list; on the bundle's card; on opening its game; on running its self-test.
SCREENS = ("list", "card", "play", "test")
# What a runtime is given that cannot read it: each says so in words of its own.
ERROR_LOAD = "error_load"
# More than any app reads of a JSON file (16 MiB), in characters that JSON passes over.
TOO_MANY = 17 * 2**20
TOO_DEEP = 100_000
# No board is anywhere near as large: the product of two is no number of bytes that a device has.
HUGE = 2**24
OUTSIDE = "../secret"
# A reading that fits beside one that is assumed.
OTHER = {
    "name": "tictactoe-signed-opponent",
    "encoding": {"layout": "flat", "board": [3, 3], "planes": ["weather"]},
    "actions": "cell",
}
# What becomes of a file, how, and the message: of these a seal would hide what was done.
DAMAGES = (("missing", "remove", "error_missing"), ("changed", "change", "error_hash"), ("cut", "cut", "error_size"))
DAMAGE = [key for _, _, key in DAMAGES]
NO_POSITIONS: tuple[tuple[str, Any], ...] = (("[]", []), ("'many'", "many"), ("None", None))


def bad_bundles() -> dict[str, Any]:
    """The cases; `key` is the text's, null if nothing is wrong.

    `sealed`: the hashes and the sizes that the manifest and the index record are those of the edited files. `names`:
    what one of the text's places is, or has in it; null for none.
    """
    return {"cases": [*_indexes(), *_manifests(), *_members(), *_models(), *_positions()]}


def _case(about: str, outcome: Outcome, *edits: Edit, sealed: bool = True, names: str | None = None) -> Case:
    """`outcome` is the screen that a person comes to, and the key of the sentence on it."""
    screen, key = outcome
    return {"about": about, "edits": list(edits), "sealed": sealed, "screen": screen, "key": key, "names": names}


def _do(file: str, step: str, **more: Any) -> Edit:
    return {"file": file, "do": step, **more}


def _indexes() -> Iterator[Case]:
    """The list of bundles; edited last, so that a seal does not put it right."""

    def bad(about: str, step: str, **more: Any) -> Case:
        return _case(about, ("list", "error_index"), _do("index", step, **more))

    yield _case("nothing is wrong", ("play", None))
    yield bad("an index that is cut", "cut")
    yield bad("an index that is empty", "write", text="")
    yield bad("an index of another type", "write", text="[]")
    yield bad("an index that is nested without an end", "fill", text="[", times=TOO_DEEP)
    yield bad("an index that is far too long", "fill", text=" ", times=TOO_MANY)
    yield bad("an index of an older azx", "set", at=["schema_version"], value=1)
    yield bad("an index of a newer azx", "set", at=["schema_version"], value=3)
    yield bad("an index whose version is true", "set", at=["schema_version"], value=True)
    yield bad("an index without bundles", "unset", at=["bundles"])
    yield bad("an index with a bundle of another type", "set", at=["bundles", 0], value=1)
    yield bad("an index with a bundle without files", "unset", at=["bundles", 0, "files"])
    yield bad("an index with a size that is a text", "set", at=["bundles", 0, "files", 0, "size"], value="3")
    problems = ["bundles", 0, "problems"]
    yield bad("an index with problems of another type", "set", at=problems, value=[1])
    yield bad("an index whose problems are clauses", "set", at=problems, value=["it has no known game"])
    for name in ("..", "../tictactoe", "a/b", "/a", "a\\b", ""):
        about = f"a bundle called '{name}', which is no folder beside the index"
        yield bad(about, "set", at=["bundles", 0, "name"], value=name)
    yield bad("an index with a number that is none", "begin", text='"more": NaN,')
    yield bad("an index that says its version twice, at last another", "end", text=', "schema_version": 3')
    right = _do("index", "begin", text='"schema_version": 3,')
    yield _case("an index that says its version twice, at last the right one", ("play", None), right)
    unlisted = _do("index", "set", at=["bundles", 0, "files"], value=[])
    yield _case("an index that lists no manifest", ("card", "error_index_manifest"), unlisted)
    other = _do("index", "set", at=["bundles", 0, "format"], value="another")
    yield _case("a bundle that was installed for another platform", ("card", "problem_no_artifact"), other)


def _manifests() -> Iterator[Case]:
    """manifest.json as a whole."""

    def bad(about: str, key: str, step: str, names: str | None = "manifest.json", **more: Any) -> Case:
        return _case(about, ("card", key), _do("manifest", step, **more), sealed=key not in DAMAGE, names=names)

    yield bad("no manifest", "error_missing", "remove")
    yield bad("a manifest that was changed", "error_hash", "change")
    yield bad("a manifest that was cut", "error_size", "cut")
    yield bad("a manifest that is far too long", "error_too_large", "fill", text=" ", times=TOO_MANY)
    broken = "error_json"
    yield bad("a manifest that is cut, with its hash", broken, "cut")
    yield bad("a manifest that is empty", broken, "write", text="")
    yield bad("a manifest that is nested without an end", broken, "fill", text='{"a":', times=TOO_DEEP)
    for text in ('"more": NaN,', '"more": Infinity,', '"more": 01,', "'more': 1,", "// more\n"):
        yield bad(f"a manifest with {text.strip()}", broken, "begin", text=text)
    yield bad("a manifest with a comma too many", broken, "end", text=",")
    newer = "error_version"
    yield bad("a manifest of a newer azx", newer, "set", "2", at=["schema_version"], value=2)
    yield bad("a manifest whose version is true", newer, "set", None, at=["schema_version"], value=True)
    yield bad("a manifest without a version", newer, "unset", None, at=["schema_version"])
    yield bad("a manifest of another type", newer, "write", None, text="[]")
    yield bad(
        "a manifest that says its version twice, at last another", newer, "end", "2", text=', "schema_version": 2'
    )
    right = _do("manifest", "begin", text='"schema_version": 2,')
    yield _case("a manifest that says its version twice, at last the right one", ("play", None), right)


def _members() -> Iterator[Case]:
    """Members of the manifest."""

    def bad(about: str, name: str, step: str, **more: Any) -> Case:
        return _case(about, ("card", "error_member"), _do("manifest", step, **more), names=name)

    for name in ("name", "inputs", "outputs", "recommended", "files", "checkpoint"):
        yield bad(f"a manifest without {name}", name, "unset", at=[name])
        yield bad(f"a manifest whose {name} is a number", name, "set", at=[name], value=5)
    places: list[tuple[list[str | int], Any]] = [
        (["game"], 5), (["settings"], []), (["batch"], "many"), (["batch"], 0), (["inputs"], []),
        (["inputs", 0, "shape"], [0]), (["inputs", 0, "shape"], [-9]), (["inputs", 0, "shape"], [2.5]),
        (["inputs", 0, "shape"], [HUGE, HUGE]), (["outputs", 0, "role"], "king"), (["outputs", 0, "shape"], "9"),
        (["files", 0, "size"], "3"), (["files", 0, "path"], 3), (["checkpoint", "parameters"], "many"),
        (["assumed"], 5), (["assumed"], {}), (["assumed"], {"others": "many"}), (["assumed"], {"others": [5]}),
    ]  # fmt: skip
    for at, value in places:
        yield bad(f"a manifest whose {'.'.join(map(str, at))} is {value!r}", str(at[0]), "set", at=at, value=value)
    for name, value in (("name", "Tic-tac-toe"), ("name", "t" * 121), ("encoding", "flat"), ("actions", [-1])):
        others = {"others": [{**OTHER, name: value}]}
        about = f"a reading that fits as well whose {name} is {value!r}"
        yield bad(about, "assumed", "set", at=["assumed"], value=others)
    nine = {"others": [OTHER] * 9}
    yield bad("more readings that fit as well than a bundle keeps", "assumed", "set", at=["assumed"], value=nine)
    # Of a later azx, perhaps: the reading that is assumed plays all the same.
    later = _do("manifest", "set", at=["assumed"], value={"others": [OTHER] * 8})
    yield _case("readings that fit as well and cannot be drawn", ("play", None), later)
    nobody = [_do("manifest", "set", at=[name], value=None) for name in ("game", "settings", "encoding", "actions")]
    yield _case("a bundle without a known game", ("card", "problem_no_game"), *nobody)
    chess = _do("manifest", "set", at=["game"], value="chess")
    yield _case("a bundle of another game", ("card", "problem_unknown_game"), chess, names="chess")
    layout = _do("manifest", "set", at=["encoding", "layout"], value="diagonal")
    yield _case("a bundle whose board cannot be drawn", ("card", "problem_unreadable"), layout, names="diagonal")


def _models() -> Iterator[Case]:
    """The network."""
    for about, step, key in DAMAGES:
        yield _case(f"a network that is {about}", ("play", key), _do("model", step), sealed=False)
    yield _case("a network that is cut, with its hash", ("play", ERROR_LOAD), _do("model", "cut"))
    for path in (OUTSIDE, "/secret", "a/../secret", "./secret", "a//secret", "a\\secret"):
        artifact = _do("manifest", "set", at=["recommended", "*"], value=path)
        yield _case(f"a network at {path}, outside of the bundle", ("play", "error_unlisted"), artifact, names=path)
    files = _do("manifest", "set", at=["files", "*", "path"], value=OUTSIDE)
    yield _case(
        "a manifest that lists all files as one outside of the bundle", ("card", "error_member"), files, names="files"
    )


def _positions() -> Iterator[Case]:
    """golden.json: the game is played, the self-test says what is wrong."""

    def bad(about: str, key: str, step: str, **more: Any) -> Case:
        edit = _do("golden", step, **more)
        return _case(about, ("test", key), edit, sealed=key not in DAMAGE, names="golden.json")

    for about, step, key in DAMAGES:
        yield bad(f"positions that are {about}", key, step)
    yield bad("positions that are far too long", "error_too_large", "fill", text=" ", times=TOO_MANY)
    broken = "error_json"
    yield bad("positions that are cut, with their hash", broken, "cut")
    yield bad("positions that are nested without an end", broken, "fill", text="[", times=TOO_DEEP)
    yield bad("positions with a number that is none", broken, "begin", text='"more": NaN,')
    for told, positions in NO_POSITIONS:
        yield bad(f"positions that are {told}", "error_no_positions", "set", at=["positions"], value=positions)
    other = "error_other_positions"
    places: list[tuple[list[str | int], Any]] = [
        (["outputs", "*"], [1]), (["outputs", "*"], "many"), (["outputs"], {}), (["inputs", "*"], []),
        (["inputs"], {}), (["inputs", "*", 0], "1"), (["inputs", "*", 0], None), (["legal"], "all"),
        (["legal"], [-1]), (["legal"], [1_000_000]),
    ]  # fmt: skip
    for at, value in places:
        about = f"a position whose {'.'.join(map(str, at))} is {value!r}"
        yield bad(about, other, "set", at=["positions", 0, *at], value=value)
    endless = [
        _do("golden", "set", at=["positions", 0, "inputs", "*", 0], value="a number"),
        _do("golden", "replace", old='"a number"', new="1e999"),
    ]
    yield _case("a position with a number that is too large", ("test", other), *endless, names="golden.json")
