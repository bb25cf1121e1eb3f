"""A newcomer's walk with files of eight kinds: inspect, describe, export, page, install.

Whatever a line says to type is typed. No step is a dead end, and each doubt that `azx inspect` has is said by the
bundle's report, by `azx install`, by its list and by the page, until it is answered.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rings import few
from sixty_files import exchanged

from azx.bundle.contents.manifest import load_manifest
from azx.export.statements.doubts import list_doubts

Azx = Callable[..., subprocess.CompletedProcess[str]]
Heads = list[tuple[str, int, str]]
ADVICE = re.compile(r"--(encoding|game|value-head|policy-head) ([\w.-]+)")
ANSWER = re.compile(r"with --([a-z0-9-]+) ([\w,@-]+)")
AUTHOR = """
import numpy as np

def encode(board, player):
    return np.stack([board == -player, board == player, board == 0], -1) * 1.0
"""
SHAPES = {"unknown outputs": (9, 9, 2), "foreign reading": (6, 7, 3)}
HEADS: dict[str, Heads] = {
    "four outputs": [("policy", 7, "softmax"), ("value", 1, "tanh"), ("ownership", 42, "tanh"), ("left", 1, "relu")],
    "unknown outputs": [("dense_a", 2, "sigmoid"), ("dense_b", 3, "softmax")],
    "three classes": [("pi", 7, "softmax"), ("wdl", 3, "softmax")],
    "sigmoid policy": [("moves", 7, "sigmoid"), ("out", 1, "tanh")],
    "no value": [("a", 7, "softmax"), ("b", 1, "tanh")],
    "foreign reading": [("pi", 7, "softmax"), ("v", 1, "tanh")],
    "onnx": [("x1", 7, "softmax"), ("x2", 1, "tanh")],
}
KINDS = [*HEADS, "permuted planes"]
# What is said of a kind throughout.
OPTIONS = {"no value": ("--value-head", "none")}
EXPORT = ("--format", "tfjs", "--positions", 20)


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where each walk leaves its bundles for the page."""
    return tmp_path_factory.mktemp("walked")


def make(kind: str, check: Any, folder: Path, azx: Azx) -> Path:
    """The file of this kind."""
    import tf_keras
    from tf_keras import layers

    if kind == "permuted planes":
        stranger: Path = exchanged("gomoku", (4, 5, 6, 7, 0, 1, 2, 3, 8), folder / "stranger.h5")
        return stranger
    tf_keras.utils.set_random_seed(KINDS.index(kind))
    board = layers.Input(SHAPES.get(kind, (6, 7, 2)), name="board")
    x = layers.Dense(8, activation="relu")(layers.Flatten()(board))
    outputs = [layers.Dense(width, activation, name=name)(x) for name, width, activation in HEADS[kind]]
    file: Path = check.save_h5(tf_keras.Model(board, outputs), folder / f"{kind.replace(' ', '_')}.h5")
    if kind != "onnx":
        return file
    done = azx("export", file, "--format", "onnx", "--positions", 20, "-o", folder / "first")
    assert done.returncode == 0, done.stderr
    (source,) = (folder / "first").glob("*.onnx")
    return source.rename(folder / "net.onnx")


def take_advice(seen: str, file: Path, heads: list[str], azx: Azx, *said: str) -> None:
    """Type what the lines say to type: each is taken."""
    lines = [line for line in seen.splitlines() if re.match(r"\s*(Assumed|Not known): ", line)]
    for line in lines:
        for option, word in ADVICE.findall(line):
            if f"--{option}" in said:
                continue
            words = [*heads, "none"] if word == "NAME" and option.endswith("head") else [word]
            words = ["connect4", "none"] if (option, word) == ("game", "NAME") else words
            taken = [azx("inspect", file, *said, f"--{option}", each) for each in words]
            # Of several outputs, or games, one at least is the one; of a name that is spelt out, that.
            assert any(each.returncode == 0 for each in taken), (line, [each.stderr for each in taken])
            for each in taken:
                assert each.returncode == 0 or "does not" in each.stderr or "none" in each.stderr or ":" in each.stderr


def describe(file: Path, folder: Path, azx: Azx, *options: str) -> str | None:
    """Answer what `azx describe` asks, each time with the first answer that it names; the command that it ends with.

    None where it says what else to type, as nobody knows a game of these shapes.
    """
    answers: list[str] = []
    for _ in range(16):
        done = azx("describe", file, "-o", folder / "encoding.json", "--json", "--force", *options, *answers)
        if done.returncode == 0:
            return str(json.loads(done.stdout)["export"])
        found = ANSWER.search(done.stderr)
        if found is None:
            assert re.search(r"--game none|--policy-head|--value-head|azx export", done.stderr), done.stderr
            return None
        answers += [f"--{found[1]}", found[2]]
    raise AssertionError(answers)


def place(bundle: Path, folder: Path, azx: Azx) -> list[str]:
    """Install a bundle: every doubt is said by its report, by the installer and by the list; the doubts."""
    doubts = list(list_doubts(load_manifest(bundle)))
    app = folder / "site"
    app.mkdir(exist_ok=True)
    placed = azx("install", bundle, app, "--kind", "web")
    listed = azx("install", "--list", app, "--kind", "web")
    assert placed.returncode == listed.returncode == 0, placed.stderr
    report = (bundle / "report.html").read_text(encoding="utf8")
    for doubt in doubts:
        assert doubt in placed.stdout + placed.stderr
        assert doubt in listed.stdout + listed.stderr
        assert doubt in report
    return doubts


def keep_for_page(bundle: Path, name: str, doubts: list[str], walked: Path) -> None:
    shutil.copytree(bundle, walked / name)
    file = walked / "doubts.json"
    known = json.loads(file.read_text()) if file.exists() else {}
    file.write_text(json.dumps({**known, name: doubts}))


@pytest.mark.parametrize("kind", few(KINDS, 2))
def test_no_step_is_a_dead_end_and_no_doubt_is_dropped(
    kind: str, check: Any, azx: Azx, tmp_path: Path, walked: Path
) -> None:
    file = make(kind, check, tmp_path, azx)
    said = OPTIONS.get(kind, ())
    seen = azx("inspect", file, *said)
    assert seen.returncode == 0, seen.stderr
    told = json.loads(azx("inspect", file, *said, "--json").stdout)
    heads = [head["source_name"] for head in told["heads"]]
    take_advice(seen.stdout, file, heads, azx, *said)
    bundle = tmp_path / "assumed"
    done = azx("export", file, *EXPORT, *said, "-o", bundle)
    assert done.returncode == 0, done.stderr
    # The export says the lines that inspect said.
    for line in seen.stdout.splitlines():
        if re.match(r"\s*(Certain|Shown|Said|Assumed|Not known): ", line):
            assert line.strip() in done.stdout, line
    doubts = place(bundle, tmp_path, azx)
    doubtful = {each["about"] for each in told["statements"] if each["degree"] in ("assumed", "not known")}
    if told["game"]:
        assert bool(doubts) == bool(
            doubtful & {"board", *(head["source_name"] for head in told["heads"] if head["role"] != "other")}
        )
    keep_for_page(bundle, f"{kind.replace(' ', '_')}_assumed", doubts, walked)
    options = list(said)
    if kind == "foreign reading":
        (tmp_path / "author.py").write_text(AUTHOR)
        options += ["--game", "connect4", "--code", f"{tmp_path / 'author.py'}:encode", "--allow-code"]
    command = describe(file, tmp_path, azx, *options)
    assert (command is None) == (kind == "unknown outputs")
    if command is None:
        return
    program, *words = command.split()
    assert program == "azx"
    answered = tmp_path / "answered"
    done = azx(*words, *EXPORT, "-o", answered)
    assert done.returncode == 0, done.stderr
    assert "Said: with --encoding" in done.stdout
    doubts = place(answered, tmp_path, azx)
    assert not any("How this network sees the board" in each for each in doubts)
    keep_for_page(answered, f"{kind.replace(' ', '_')}_answered", doubts, walked)


def test_the_page_says_the_same_doubts(walked: Path, repository: Path) -> None:
    web = repository / "apps" / "web"
    if not (walked / "doubts.json").exists() or not (web / "node_modules" / "vitest").is_dir():
        pytest.skip("no walk was made before, or the page's packages are not there")
    ran = subprocess.run(
        ["npx", "vitest", "run", "tests/bundle/walked.test.ts"],
        cwd=web,
        env={**os.environ, "AZX_WALKED": str(walked)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-2000:]
    assert "1 passed" in ran.stdout
