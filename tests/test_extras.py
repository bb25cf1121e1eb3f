"""What each extra brings is what its commands need: every other package is hidden, as if it were not installed."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from azx.system.installed import of_azx, quote
from azx.version import DISTRIBUTION

Azx = Callable[..., subprocess.CompletedProcess[str]]
Hidden = Callable[..., dict[str, str]]


def named(entry: str) -> str:
    return entry.lower().replace("_", "-")


def brought(distribution: str, extra: str = "", seen: frozenset[str] = frozenset()) -> Iterator[str]:
    """A distribution and all that it asks for, by pip's names."""
    key = f"{distribution}[{extra}]"
    if key in seen:
        return
    yield named(distribution)
    try:
        wanted = [Requirement(entry) for entry in metadata.requires(distribution) or []]
    except metadata.PackageNotFoundError:
        return
    for entry in wanted:
        if entry.marker is None or entry.marker.evaluate({"extra": extra}):
            for part in entry.extras or {""}:
                yield from brought(entry.name, part, seen | {key})


@pytest.fixture
def only(without: Hidden) -> Callable[[str], dict[str, str]]:
    """An environment with the core of azx and one of its extras."""

    def environment(extra: str) -> dict[str, str]:
        known = {*brought(DISTRIBUTION), *brought(DISTRIBUTION, extra)}
        homes = metadata.packages_distributions()
        return without(*[top for top, homes in homes.items() if not known & {named(home) for home in homes}])

    return environment


CORE = [
    (["games"], "tictactoe"),
    (["games", "go"], "(9, 9, 17)"),
    (["doctor"], "Formats that can be written"),
    (["inspect", "connect4"], "policy_head"),
]


@pytest.mark.parametrize(("words", "said"), CORE, ids=[" ".join(words) for words, _ in CORE])
def test_the_core_runs_what_needs_no_runtime(words: list[str], said: str, azx: Azx, only: Hidden) -> None:
    done = azx(*words, env=only(""))
    assert done.returncode == 0, done.stderr
    assert said in done.stdout


def test_the_core_installs_a_bundle(bundle: Path, azx: Azx, only: Hidden, tmp_path: Path) -> None:
    done = azx("install", bundle, tmp_path, "--kind", "folder", env=only(""))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "azx" / "index.json").is_file()


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        (["export"], "export"),
        (["validate", "{bundle}"], "export"),
        (["play", "tictactoe"], "play"),
        (["match", "tictactoe", "tictactoe"], "play"),
    ],
    ids=["export", "validate", "play", "match"],
)
def test_what_the_core_lacks_is_one_sentence_with_the_extra(
    words: list[str], extra: str, bundle: Path, azx: Azx, only: Hidden
) -> None:
    done = azx(*[word.format(bundle=bundle) for word in words], env=only(""))
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("Error: ")
    assert f"pip install {quote(of_azx(extra))}" in last
    assert "Traceback" not in done.stderr


@pytest.mark.whole
def test_play_needs_no_tensorflow_for_an_artifact_or_a_checkpoint(bundle: Path, azx: Azx, only: Hidden) -> None:
    for net, runtime in ((bundle, "onnxruntime"), ("tictactoe", "float64 witness")):
        words = ["--games", 2, "--simulations", 5, "--json"]
        done = azx("match", net, net, *words, env=only("play"))
        assert done.returncode == 0, done.stderr
        assert runtime in done.stdout
