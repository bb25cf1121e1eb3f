"""No test measures time: which test files read a clock is listed, each with its reason, in tests/clocks.toml."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

CLOCKS = {
    "time": {
        name + unit
        for name in ("clock_gettime", "monotonic", "perf_counter", "process_time", "thread_time", "time")
        for unit in ("", "_ns")
    },
    "timeit": {"default_timer", "repeat", "timeit", "Timer"},
    "resource": {"getrusage"},
    "os": {"times"},
}
# The same in the apps' tests, by the languages they are written in.
CLOCKS_OF_APPS = {
    ".ts": re.compile(r"\bDate\.now\(|\bperformance\.now\("),
    ".kt": re.compile(r"\bnanoTime\(|\bcurrentTimeMillis\(|\belapsedRealtime\(|\buptimeMillis\("),
    ".swift": re.compile(r"\bContinuousClock\.now\b|\bclock_gettime\(|\bDispatchTime\.now\b"),
}
TESTS_OF_APPS = (
    ("web/tests", "tests", ".ts"),
    ("android", "test", ".kt"),
    ("ios/Tests", "Tests", ".swift"),
    ("ios/AppTests", "AppTests", ".swift"),
)
# An end that comes sooner is a limit on speed.
LEAST_END = 60


def reads_of_clocks(tree: ast.AST) -> list[int]:
    """The lines at which a module names a function that reads a clock, by its module or imported by itself."""
    modules = {name: name for name in CLOCKS}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {each.asname: each.name for each in node.names if each.asname and each.name in CLOCKS}
    named = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom | ast.Attribute))
    return [node.lineno for node in named if _is_read(node, modules)]


def _is_read(node: ast.ImportFrom | ast.Attribute, modules: dict[str, str]) -> bool:
    if isinstance(node, ast.ImportFrom):
        return any(each.name in CLOCKS.get(node.module or "", ()) for each in node.names)
    return isinstance(node.value, ast.Name) and node.attr in CLOCKS.get(modules.get(node.value.id, ""), ())


def small_ends(tree: ast.AST) -> Iterator[int]:
    """The lines at which something may take fewer than LEAST_END seconds, by a `timeout=` of so many."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "timeout" and isinstance(node.value, ast.Constant):
            end = node.value.value
            if isinstance(end, int | float) and end < LEAST_END:
                yield node.value.lineno


def clocks_of_apps(repository: Path) -> dict[str, int]:
    """How often each test file of an app reads a clock, by the file's name."""
    found: dict[str, int] = {}
    for root, folder, suffix in TESTS_OF_APPS:
        for file in sorted((repository / "apps" / root).rglob(f"*{suffix}")):
            parts = set(file.relative_to(repository).parts)
            if folder in parts and not parts & {"build", "target"}:
                reads = CLOCKS_OF_APPS[suffix].findall(file.read_text(encoding="utf8"))
                found |= {file.name: found.get(file.name, 0) + len(reads)} if reads else {}
    return found


@pytest.fixture(scope="module")
def trees(repository: Path) -> dict[str, ast.Module]:
    """All test files, by their path in tests/."""
    files = sorted((repository / "tests").rglob("*.py"))
    return {str(file.relative_to(repository / "tests")): ast.parse(file.read_bytes()) for file in files}


def test_which_tests_read_a_clock_is_listed_with_the_reason(repository: Path, trees: dict[str, ast.Module]) -> None:
    listed = tomllib.loads((repository / "tests" / "clocks.toml").read_text(encoding="utf8"))
    found = {name: len(lines) for name, tree in trees.items() if (lines := reads_of_clocks(tree))}
    found |= clocks_of_apps(repository)
    assert found == {name: each["reads"] for name, each in listed.items()}
    assert all(len(each["why"]) > 20 for each in listed.values())


def test_no_test_waits_less_than_a_minute_for_what_may_take_long(trees: dict[str, ast.Module]) -> None:
    found = {name: list(small_ends(tree)) for name, tree in trees.items()}
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("import time\ntime.sleep(1)\nbegan = time.perf_counter()", [3]),
        ("import time as clock\nclock.monotonic_ns()", [2]),
        ("from time import sleep, process_time", [1]),
        ("monkeypatch.setattr(module, 'now', time.time)", [1]),
        ("import resource\nresource.getrusage(resource.RUSAGE_SELF).ru_utime", [2]),
        ("class Clock:\n    def monotonic(self): ...\nclock.monotonic()", []),
    ],
)
def test_a_read_of_a_clock_is_seen(code: str, lines: list[int]) -> None:
    assert reads_of_clocks(ast.parse(code)) == lines


@pytest.mark.parametrize(
    ("code", "lines"),
    [("process.wait(timeout=30)", [1]), ("run(timeout=2.5)", [1]), ("run(timeout=60)", []), ("run(timeout=None)", [])],
)
def test_a_small_end_is_seen(code: str, lines: list[int]) -> None:
    assert list(small_ends(ast.parse(code))) == lines
