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
    bad = ("list", "error_index")
    yield _case("nothing is wrong", ("play", None))
    yield _case("an index that is cut", bad, _do("index", "cut"))
    yield _case("an index that is empty", bad, _do("index", "write", text=""))
    yield _case("an index of another type", bad, _do("index", "write", text="[]"))
    yield _case("an index that is nested without an end", bad, _do("index", "fill", text="[", times=TOO_DEEP))
    yield _case("an index that is far too long", bad, _do("index", "fill", text=" ", times=TOO_MANY))
    yield _case("an index of an older azx", bad, _do("index", "set", at=["schema_version"], value=1))
    yield _case("an index of a newer azx", bad, _do("index", "set", at=["schema_version"], value=3))
    yield _case("an index whose version is true", bad, _do("index", "set", at=["schema_version"], value=True))
    yield _case("an index without bundles", bad, _do("index", "unset", at=["bundles"]))
    yield _case("an index with a bundle of another type", bad, _do("index", "set", at=["bundles", 0], value=1))
    yield _case("an index with a bundle without files", bad, _do("index", "unset", at=["bundles", 0, "files"]))
    size = ["bundles", 0, "files", 0, "size"]
    yield _case("an index with a size that is a text", bad, _do("index", "set", at=size, value="3"))
    problems = ["bundles", 0, "problems"]
    yield _case("an index with problems of another type", bad, _do("index", "set", at=problems, value=[1]))
    clause = _do("index", "set", at=problems, value=["it has no known game"])
    yield _case("an index whose problems are clauses", bad, clause)
    for name in ("..", "../tictactoe", "a/b", "/a", "a\\b", ""):
        named = _do("index", "set", at=["bundles", 0, "name"], value=name)
        yield _case(f"a bundle called '{name}', which is no folder beside the index", bad, named)
    yield _case("an index with a number that is none", bad, _do("index", "begin", text='"more": NaN,'))
    yield _case(
        "an index that says its version twice, at last another", bad, _do("index", "end", text=', "schema_version": 3')
    )
    right = _do("index", "begin", text='"schema_version": 3,')
    yield _case("an index that says its version twice, at last the right one", ("play", None), right)
    unlisted = _do("index", "set", at=["bundles", 0, "files"], value=[])
    yield _case("an index that lists no manifest", ("card", "error_index_manifest"), unlisted)
    other = _do("index", "set", at=["bundles", 0, "format"], value="another")
    yield _case("a bundle that was installed for another platform", ("card", "problem_no_artifact"), other)


def _manifests() -> Iterator[Case]:
    """manifest.json as a whole."""
    name = "manifest.json"
    yield _case("no manifest", ("card", "error_missing"), _do("manifest", "remove"), sealed=False, names=name)
    yield _case(
        "a manifest that was changed", ("card", "error_hash"), _do("manifest", "change"), sealed=False, names=name
    )
    yield _case("a manifest that was cut", ("card", "error_size"), _do("manifest", "cut"), sealed=False, names=name)
    too_long = _do("manifest", "fill", text=" ", times=TOO_MANY)
    yield _case("a manifest that is far too long", ("card", "error_too_large"), too_long, names=name)
    broken = ("card", "error_json")
    yield _case("a manifest that is cut, with its hash", broken, _do("manifest", "cut"), names=name)
    yield _case("a manifest that is empty", broken, _do("manifest", "write", text=""), names=name)
    deep = _do("manifest", "fill", text='{"a":', times=TOO_DEEP)
    yield _case("a manifest that is nested without an end", broken, deep, names=name)
    for text in ('"more": NaN,', '"more": Infinity,', '"more": 01,', "'more': 1,", "// more\n"):
        yield _case(f"a manifest with {text.strip()}", broken, _do("manifest", "begin", text=text), names=name)
    yield _case("a manifest with a comma too many", broken, _do("manifest", "end", text=","), names=name)
    newer = ("card", "error_version")
    yield _case("a manifest of a newer azx", newer, _do("manifest", "set", at=["schema_version"], value=2), names="2")
    yield _case("a manifest whose version is true", newer, _do("manifest", "set", at=["schema_version"], value=True))
    yield _case("a manifest without a version", newer, _do("manifest", "unset", at=["schema_version"]))
    yield _case("a manifest of another type", newer, _do("manifest", "write", text="[]"))
    last = _do("manifest", "end", text=', "schema_version": 2')
    yield _case("a manifest that says its version twice, at last another", newer, last, names="2")
    right = _do("manifest", "begin", text='"schema_version": 2,')
    yield _case("a manifest that says its version twice, at last the right one", ("play", None), right)


def _members() -> Iterator[Case]:
    """Members of the manifest."""
    bad = ("card", "error_member")
    for name in ("name", "inputs", "outputs", "recommended", "files", "checkpoint"):
        yield _case(f"a manifest without {name}", bad, _do("manifest", "unset", at=[name]), names=name)
        wrong = _do("manifest", "set", at=[name], value=5)
        yield _case(f"a manifest whose {name} is a number", bad, wrong, names=name)
    places: list[tuple[list[str | int], Any]] = [
        (["game"], 5), (["settings"], []), (["batch"], "many"), (["batch"], 0), (["inputs"], []),
        (["inputs", 0, "shape"], [0]), (["inputs", 0, "shape"], [-9]), (["inputs", 0, "shape"], [2.5]),
        (["inputs", 0, "shape"], [HUGE, HUGE]), (["outputs", 0, "role"], "king"), (["outputs", 0, "shape"], "9"),
        (["files", 0, "size"], "3"), (["files", 0, "path"], 3), (["checkpoint", "parameters"], "many"),
    ]  # fmt: skip
    for at, value in places:
        where = ".".join(map(str, at))
        wrong = _do("manifest", "set", at=at, value=value)
        yield _case(f"a manifest whose {where} is {value!r}", bad, wrong, names=str(at[0]))
    nobody = [_do("manifest", "set", at=[name], value=None) for name in ("game", "settings", "encoding", "actions")]
    yield _case("a bundle without a known game", ("card", "problem_no_game"), *nobody)
    chess = _do("manifest", "set", at=["game"], value="chess")
    yield _case("a bundle of another game", ("card", "problem_unknown_game"), chess, names="chess")
    layout = _do("manifest", "set", at=["encoding", "layout"], value="diagonal")
    yield _case("a bundle whose board cannot be drawn", ("card", "problem_unreadable"), layout, names="diagonal")


def _models() -> Iterator[Case]:
    """The network."""
    for about, step, key in (("missing", "remove", "missing"), ("changed", "change", "hash"), ("cut", "cut", "size")):
        yield _case(f"a network that is {about}", ("play", f"error_{key}"), _do("model", step), sealed=False)
    yield _case("a network that is cut, with its hash", ("play", ERROR_LOAD), _do("model", "cut"))
    for path in (OUTSIDE, "/secret", "a/../secret", "./secret", "a//secret", "a\\secret"):
        artifact = _do("manifest", "set", at=["recommended", "*"], value=path)
        yield _case(f"a network at {path}, outside of the bundle", ("play", "error_unlisted"), artifact, names=path)
    files = _do("manifest", "set", at=["files", "*", "path"], value=OUTSIDE)
    yield _case("a manifest that lists files outside of the bundle", ("play", "error_unlisted"), files)


def _positions() -> Iterator[Case]:
    """golden.json: the game is played, the self-test says what is wrong."""
    name = "golden.json"
    for about, step, key in (("missing", "remove", "missing"), ("changed", "change", "hash"), ("cut", "cut", "size")):
        yield _case(
            f"positions that are {about}", ("test", f"error_{key}"), _do("golden", step), sealed=False, names=name
        )
    too_long = _do("golden", "fill", text=" ", times=TOO_MANY)
    yield _case("positions that are far too long", ("test", "error_too_large"), too_long, names=name)
    broken = ("test", "error_json")
    yield _case("positions that are cut, with their hash", broken, _do("golden", "cut"), names=name)
    deep = _do("golden", "fill", text="[", times=TOO_DEEP)
    yield _case("positions that are nested without an end", broken, deep, names=name)
    yield _case("positions with a number that is none", broken, _do("golden", "begin", text='"more": NaN,'), names=name)
    for told, positions in NO_POSITIONS:
        none = _do("golden", "set", at=["positions"], value=positions)
        yield _case(f"positions that are {told}", ("test", "error_no_positions"), none, names=name)
    other = ("test", "error_other_positions")
    places: list[tuple[list[str | int], Any]] = [
        (["outputs", "*"], [1]), (["outputs", "*"], "many"), (["outputs"], {}), (["inputs", "*"], []),
        (["inputs"], {}), (["inputs", "*", 0], "1"), (["inputs", "*", 0], None), (["legal"], "all"),
        (["legal"], [-1]), (["legal"], [1_000_000]),
    ]  # fmt: skip
    for at, value in places:
        wrong = _do("golden", "set", at=["positions", 0, *at], value=value)
        yield _case(f"a position whose {'.'.join(map(str, at))} is {value!r}", other, wrong, names=name)
    endless = [
        _do("golden", "set", at=["positions", 0, "inputs", "*", 0], value="a number"),
        _do("golden", "replace", old='"a number"', new="1e999"),
    ]
    yield _case("a position with a number that is too large", other, *endless, names=name)
