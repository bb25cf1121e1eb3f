"""What there is when azx is ended at any point of an operation.

    python operations.py SMALL FOLDER [NAME...]

SMALL is the folder of a small checkpoint and its bundle, FOLDER an empty one. What a kill leaves must be as before or
as after, for whoever reads it; then the operation is done again, and not one file may be there that would not be there
without the kill. Prints the number of points of each operation as JSON, or what is wrong.

A process that is ended leaves the files as they are at that moment. So the operation runs once, and at each point the
files are copied; at each tenth point a process is ended as well, and must leave what the copy has.

Converters, which need seconds, are left out here: an export takes its artifacts from the small bundle, and all that it
does with folders is its own. test_kills.py has the other form, with real commands.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any
from unittest import mock

from standins import (
    APP,
    CHECKPOINT,
    FOLDER,
    READY,
    ROOT,
    TEMPORARY,
    Unequal,
    export_as,
    imported_for_sweeps,
    imported_for_watches,
    sweep_all,
    watch_all,
    watched_before,
    without_converters,
)

from azx.bundle.case.checkpoint import Checkpoint
from azx.bundle.case.settings import Settings
from azx.bundle.contents.manifest import load_manifest
from azx.errors import AzxError
from azx.mobile_assets import served
from azx.mobile_assets.install import install, list_installed, remove
from azx.play.records import save_record
from azx.system import exchange
from azx.system.temporary import clear_up

# At so many points apart a process is really ended.
EACH = 10
kill_hook = importlib.import_module("kill_hook")
Seen = dict[str, str]
# What azx writes beside a folder while it works.
CHANCE = re.compile(r"[0-9a-f]{16}|[a-z0-9_]{8}(?=$|/)|\d+")
OWN = re.compile(r"\..+\.azx-(lock|[0-9a-f]{16}(\.old)?)")


def serve(game: str | None) -> None:
    """The checkpoint's bundle for the page, another one for each game that is told; the cache keeps two."""
    clear_up()  # as at the beginning of every command
    with (
        without_converters(),
        mock.patch.object(served, "cache", return_value=ROOT / "cache"),
        mock.patch.object(served, "KEPT", 2),
    ):
        served.serve_checkpoint(Checkpoint(CHECKPOINT), Settings(game=game))


def served_before() -> None:
    """Two bundles in the cache, of which one was used longer ago."""
    for seconds, game in enumerate(("connect4", "none"), start=1):
        serve(game)
        newest = max((ROOT / "cache").iterdir(), key=lambda folder: folder.stat().st_mtime)
        os.utime(newest, (seconds, seconds))


def bundles() -> None:
    """Two versions of a bundle, outside of what is watched, and an app."""
    APP.mkdir(exist_ok=True)
    (APP / "package.json").write_text("{}")
    for version in ("first", "second"):
        if not (FOLDER / version).exists():
            export_as(version, output=FOLDER / version, formats=("tfjs",))


def installed_before(*names: str) -> None:
    bundles()
    for name in names:
        install(FOLDER / "first", APP, name=name)
    (APP / "public" / "azx" / ".net.part-123").mkdir(parents=True, exist_ok=True)
    (APP / "public" / "azx" / ".net.part-123" / "mine.txt").write_text("mine")


def one_bundle() -> None:
    """An app with a bundle and nothing of a person's."""
    bundles()
    install(FOLDER / "first", APP, name="a")


def taken_out(name: str) -> None:
    """`remove`; where it was taken out before the kill there is nothing more to do."""
    with suppress(AzxError):
        remove(name, APP)


def play() -> None:
    """A match of two artifacts, in this process."""
    from azx.cli import cli

    nets = [str(next(READY.glob(f"*.{kind}"))) for kind in ("onnx", "tflite")]
    options = ["--games", "4", "--simulations", "0", "--workers", "1", "--log", str(ROOT / "log.jsonl")]
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        cli.main(["match", *nets, *options], standalone_mode=False)


def mine() -> None:
    """A bundle with a person's own files in it, and folders beside it that only look like azx's."""
    export_as("first")
    for place in (ROOT / "net", ROOT / ".net.part-123", ROOT / ".net.azx-0123456789abcdef"):
        place.mkdir(exist_ok=True)
        (place / "mine.txt").write_text("mine")


def not_equal_before() -> None:
    """A bundle, and the artifacts of an export over it that were not equal."""
    mine()
    export_as("third", Unequal)


def save(moves: str) -> None:
    """A record of a game, over the one that may be there."""
    save_record(ROOT / "game.txt", f"connect4: {moves}\n")


@dataclass(frozen=True)
class Operation:
    """What is there before, and what is done; `in_two` where the system cannot exchange names.

    `lines` is for a file that grows line by line instead of changing at once, `parts` for files and folders that come
    one after the other, each at once.
    """

    before: Callable[[], Any]
    act: Callable[[], Any]
    in_two: bool = False
    lines: bool = False
    parts: bool = False


OPERATIONS = {
    "export": Operation(lambda: None, lambda: export_as("first")),
    "export again": Operation(mine, lambda: export_as("second")),
    "export again, in two steps": Operation(mine, lambda: export_as("second"), in_two=True),
    "export a format again": Operation(mine, lambda: export_as("first", formats=("onnx",))),
    "export what is not equal": Operation(mine, lambda: export_as("second", Unequal)),
    "export again what is not equal": Operation(not_equal_before, lambda: export_as("second", Unequal)),
    "install": Operation(bundles, lambda: install(FOLDER / "first", APP)),
    "install another": Operation(lambda: installed_before("a"), lambda: install(FOLDER / "first", APP, name="b")),
    "replace": Operation(lambda: installed_before("a", "b"), lambda: install(FOLDER / "second", APP, name="a")),
    "replace, in two steps": Operation(
        lambda: installed_before("a"), lambda: install(FOLDER / "second", APP, name="a"), in_two=True
    ),
    "remove": Operation(lambda: installed_before("a", "b"), lambda: taken_out("a")),
    "remove the last": Operation(one_bundle, lambda: taken_out("a")),
    "sweep": Operation(imported_for_sweeps, sweep_all, parts=True),
    "watch": Operation(imported_for_watches, lambda: watch_all(1), parts=True),
    "watch a better one": Operation(lambda: watched_before(1), lambda: watch_all(2), parts=True),
    "match": Operation(lambda: None, play, lines=True),
    "save a record": Operation(lambda: None, lambda: save("3")),
    "save a record again": Operation(lambda: save("3"), lambda: save("3 3")),
    "serve": Operation(served_before, lambda: serve(None)),
}


def forked(act: Callable[[], Any]) -> bool:
    """Do something in a process of its own; whether that was ended."""
    if pid := os.fork():
        ended = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        if ended not in (0, -9):
            raise SystemExit(f"the operation failed ({ended})")
        return ended != 0
    try:
        act()
        os._exit(0)
    except BaseException:
        import traceback

        traceback.print_exc()
        os._exit(1)


def seen(whole: bool = True) -> Seen:
    """Each file, folder and link, with its contents; what azx writes beside a folder, and for the time, if `whole`."""
    found = {}
    for path in sorted(ROOT.rglob("*")):
        inner = path.relative_to(ROOT)
        # ONNX Runtime's own, wherever it is imported; and the note of the bundle written last, which the next writes.
        if path.name == ".ses" or inner.parts[0] == "state":
            continue
        if not whole and any(OWN.fullmatch(part) or part in ("tmp", "cache") for part in inner.parts):
            continue
        # What was done before a kill is kept after it: nothing else of a sweep's table depends on that.
        content = path.read_bytes().replace(b",kept,", b",proved,") if path.is_file() else b""
        found[str(inner)] = hashlib.sha256(content).hexdigest() if path.is_file() else "folder"
    return found


def without_chance(found: Seen) -> list[tuple[str, str]]:
    """Without what is of one process alone: names that are drawn, and what azx's own notes say of it."""
    return sorted(
        (CHANCE.sub("*", name), "" if Path(name).name.startswith(".") else what) for name, what in found.items()
    )


def looked_at() -> None:
    """What a reader does: a bundle that is there is whole, and an app has what its index says, and nothing else."""
    with suppress(AzxError):
        load_manifest(ROOT / "net")  # it brings back what was moved aside
    if (ROOT / "net").exists():
        load_manifest(ROOT / "net")
    if APP.exists():
        found = list_installed(APP, kind="web")
        assert [state for _, _, state in found] == ["ok"] * len(found), found
        assets = APP / "public" / "azx"
        there = {path.name for path in assets.iterdir() if path.is_dir()} if assets.exists() else set()
        assert there - {".net.part-123"} == {entry.name for entry, _, _ in found}
    for folder in (ROOT / "cache").glob("[!.]*"):
        load_manifest(folder)


def start_from(template: Path) -> None:
    shutil.rmtree(ROOT, ignore_errors=True)
    shutil.copytree(template, ROOT, symlinks=True)


def kill(operation: Operation, at: int, template: Path) -> Seen:
    """What a process leaves that is ended at a point."""
    start_from(template)

    def act() -> None:
        kill_hook.in_this_process(str(ROOT), at)
        operation.act()

    if not forked(act):
        raise SystemExit("the process was not ended")
    return seen()


def copy_each_point(operation: Operation, copies: Path) -> int:
    """Do the operation, with a copy of the files at each point in `copies`; how many there are."""
    copies.mkdir()

    def act() -> None:
        kill_hook.Recorder(str(ROOT), copies)
        operation.act()

    forked(act)
    return len(list(copies.iterdir()))


def without_empty(found: Seen) -> Seen:
    """Without folders that hold nothing: those above what is to come are made first."""
    return {
        name: what for name, what in found.items() if what != "folder" or any(n.startswith(f"{name}/") for n in found)
    }


def check(name: str, operation: Operation) -> int:
    """Kill the operation at each of its points; how many there are. SystemExit says what is wrong after which."""
    template = FOLDER / "template"
    shutil.rmtree(template, ignore_errors=True)
    shutil.rmtree(ROOT, ignore_errors=True)
    TEMPORARY.mkdir(parents=True)
    operation.before()  # in this process: what it imports every one after it has
    ROOT.rename(template)
    copies = FOLDER / "copies"
    shutil.rmtree(copies, ignore_errors=True)
    start_from(template)
    before = without_empty(seen(whole=False))
    points = copy_each_point(operation, copies)
    after, clean = without_empty(seen(whole=False)), seen()
    log = (ROOT / "log.jsonl").read_bytes() if operation.lines else b""

    def read_and_act() -> None:
        looked_at()
        now = without_empty(seen(whole=False))
        assert operation.lines or operation.parts or now in (before, after), (
            f"a reader finds neither: {told(now, before)}"
        )
        operation.act()

    for at in range(1, points + 1):
        where = f"{name}, killed at point {at} of {points}"
        left = kill(operation, at, template) if at % EACH == 0 else None
        shutil.rmtree(ROOT)
        (copies / str(at)).rename(ROOT)
        if left is not None and without_chance(seen()) != without_chance(left):
            raise SystemExit(f"{where}: the copy has something else: {without_chance(seen())}, {without_chance(left)}")
        judge(operation, where, (before, after), log)
        try:
            forked(read_and_act)
        except SystemExit as error:
            raise SystemExit(f"{where}: {error}") from error
        if (now := seen()) != clean:
            raise SystemExit(f"{where}: the next run leaves something else: {told(now, clean)}")
    return points


def judge(operation: Operation, where: str, sound: tuple[Seen, Seen], log: bytes) -> None:
    """SystemExit where what a kill has left is nothing that may be there."""
    if operation.lines:
        there = (ROOT / "log.jsonl").read_bytes() if (ROOT / "log.jsonl").exists() else b""
        if not log.startswith(there):
            raise SystemExit(f"{where}: the file is no beginning of what it would be")
    elif operation.parts:
        folders = [path for path in (ROOT / "bundles").glob("[!.]*") if path.is_dir() and path.name != "best-of"]
        best = list((ROOT / "bundles" / "best-of").glob("[!.]*"))
        made = {path.name: load_manifest(path) for path in (*folders, *best)}
        if not made.keys() <= {"version1", "version2", "connect4"}:
            raise SystemExit(f"{where}: there is {sorted(made)}")
    elif not operation.in_two and (now := without_empty(seen(whole=False))) not in sound:
        raise SystemExit(f"{where}: neither before nor after: {told(now, sound[0])}")


def told(now: Seen, then: Seen) -> str:
    """The first differences."""
    return str(sorted(name for name in {*now, *then} if now.get(name) != then.get(name))[:5])


def main() -> None:
    """Check the operations that are named, or all."""
    tempfile.tempdir = str(TEMPORARY)
    os.environ.update(XDG_STATE_HOME=str(ROOT / "state"), TMPDIR=str(TEMPORARY))
    found = {}
    for name in sys.argv[3:] or OPERATIONS:
        operation = OPERATIONS[name]
        began = time.monotonic()
        with mock.patch.object(exchange, "_find_exchange", return_value=None) if operation.in_two else nullcontext():
            found[name] = check(name, operation)
        print(f"{name}: {found[name]} points, {time.monotonic() - began:.1f} s", file=sys.stderr, flush=True)  # noqa: T201
    print(json.dumps(found))  # noqa: T201


if __name__ == "__main__":
    main()
