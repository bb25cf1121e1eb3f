"""Streams that are closed or full, Ctrl-C while modules are imported, places where nothing can be written, no memory.

Each is a real process: what it says on the streams that it has, and its exit code.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
CLOSED_OUTPUT = "Error: standard output cannot be written (it is closed): send it to a file or a terminal.\n"
FULL_OUTPUT = CLOSED_OUTPUT.replace("it is closed", "No space left on device")
INSPECT = ("inspect", "dots_and_boxes")
# Presses Ctrl-C in the moment in which a module is about to be imported, as early as that is.
PRESSED_AT = """
import signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Finder())
sys.argv = ["azx", "inspect", "dots_and_boxes"]
from azx.__main__ import main
main()
"""


def azx(folder: Path, *arguments: object, closed: tuple[int, ...] = (), **options: Any) -> tuple[int, str, str]:
    """(exit code, standard output, standard error) of `azx ARGUMENTS`, started without the streams `closed`."""

    def close() -> None:
        for number in closed:
            os.close(number)

    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "preexec_fn": close}
    environment = {**os.environ, "XDG_STATE_HOME": str(folder / ".state")}
    environment.pop("AZX_DEBUG", None)
    command = [sys.executable, "-m", "azx", *map(str, arguments)]
    done = subprocess.run(command, text=True, cwd=folder, env=environment, **{**pipes, **options})
    return done.returncode, done.stdout or "", done.stderr or ""


def test_what_is_printed_to_a_closed_output_is_an_error(tmp_path: Path) -> None:
    assert azx(tmp_path, *INSPECT, closed=(1,)) == (1, "", CLOSED_OUTPUT)
    assert azx(tmp_path, "--version", closed=(0, 1)) == (1, "", CLOSED_OUTPUT)
    assert azx(tmp_path, "--version", closed=(0, 1, 2)) == (1, "", "")


def test_without_standard_error_a_command_works_and_says_less(tmp_path: Path) -> None:
    code, stdout, _ = azx(tmp_path, *INSPECT, closed=(2,))
    assert (code, "parameters" in stdout) == (0, True)
    assert azx(tmp_path, "exprot", closed=(2,)) == (2, "", "")
    assert azx(tmp_path, "inspect", "nowhere.h5", closed=(0, 2)) == (1, "", "")


@pytest.mark.whole
def test_an_export_without_standard_streams_is_whole(tmp_path: Path) -> None:
    """Files that it opens must not get the numbers of the streams, into which TensorFlow prints."""
    done = azx(tmp_path, "export", "tictactoe", "--format", "onnx", "-o", "out", "--positions", 20, closed=(0, 2))
    assert done[0] == 0
    assert "equal to the original" in done[1]
    assert {path.name for path in (tmp_path / "out").iterdir()} >= {"tictactoe.onnx", "manifest.json"}
    assert azx(tmp_path, "validate", "out", closed=(0,))[0] == 0


@FULL
@pytest.mark.parametrize("arguments", [INSPECT, (*INSPECT, "--json"), ("--help",), ("games",)], ids=" ".join)
def test_a_full_output_is_an_error(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        assert azx(tmp_path, *arguments, stdout=full) == (1, "", FULL_OUTPUT)


@FULL
def test_a_full_standard_error_stops_nothing(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        assert azx(tmp_path, *INSPECT, stderr=full)[0] == 0
        assert azx(tmp_path, "report", "nowhere", stderr=full) == (1, "", "")


@pytest.mark.parametrize(
    "module", ["azx.system.streams", "azx.cli", "click", "azx.commands.inspect", "numpy", "h5py", "h5py._errors"]
)
def test_ctrl_c_while_modules_are_imported_ends_in_one_word(tmp_path: Path, module: str) -> None:
    code = PRESSED_AT.format(module=module)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "Interrupted.\n")


def test_nothing_is_imported_for_ctrl_c_to_be_heard(tmp_path: Path) -> None:
    """What comes before is Python's own, which a Ctrl-C ends with a traceback."""
    code = "import sys, azx.system; del sys.modules['signal']; import azx.__main__; print('signal' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", f"import signal; {code}"], capture_output=True, text=True, cwd=tmp_path
    )
    assert (done.stdout, done.stderr) == ("False\n", "")


@pytest.mark.parametrize("more", ["", "import deaf"], ids=["once", "and_lost_once_more_if_it_came_in_the_import"])
def test_ctrl_c_that_a_callback_swallows_is_pressed_again(tmp_path: Path, more: str) -> None:
    """Python prints what is raised in a callback, and goes on."""
    (tmp_path / "deaf.py").write_text("import time\ntry: time.sleep(0.3)\nexcept KeyboardInterrupt: pass\n")
    code = f"""
import signal, sys, weakref
class Thing: pass
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "h5py":
            thing = Thing()
            kept.append(weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGINT)))
            del thing
            {more}
kept = []
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Finder())
sys.argv = ["azx", "inspect", "dots_and_boxes"]
from azx.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "Interrupted.\n")


def test_what_an_interrupted_import_has_left_is_not_taken_down(tmp_path: Path) -> None:
    """Python may crash as it does that; what is registered for the end is done all the same."""
    code = """
import atexit, builtins, os, signal, sys
class Half:
    def __del__(self, kill=os.kill, pid=os.getpid()): kill(pid, 11)
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "h5py":
            raise KeyboardInterrupt
builtins.half = Half()
atexit.register(print, "tidied")
sys.meta_path.insert(0, Finder())
sys.argv = ["azx", "inspect", "dots_and_boxes"]
from azx.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (130, "tidied\n", "Interrupted.\n")


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="this system has no /proc")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("export", "tictactoe", "-o", "/proc/x"), "'/proc/x' cannot be written (No such file or directory): "),
        (("sweep", "tictactoe", "-o", "/proc/x"), "'/proc/x' cannot be written (No such file or directory): "),
    ],
    ids=["export", "sweep"],
)
def test_where_no_file_can_be_made_nobody_is_said_to_hold_it(
    tmp_path: Path, arguments: tuple[str, ...], told: str
) -> None:
    code, stdout, stderr = azx(tmp_path, *arguments)
    last = stderr.splitlines()[-1]
    assert (code, stdout, last.startswith(f"Error: {told}")) == (1, "", True), stderr


@pytest.mark.parametrize("arguments", [("export", "tictactoe"), ("play", "tictactoe")], ids=["export", "play"])
def test_too_little_memory_is_told_so(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """TensorFlow alone takes more than a gibibyte of addresses."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

    code, stdout, stderr = azx(tmp_path, *arguments, preexec_fn=limit)
    told = "Error: azx has too little memory for this: free some, or raise the limit on it (ulimit -v)."
    assert (code, stdout, stderr.splitlines()[-1]) == (1, "", told), stderr
    assert not (tmp_path / "bundles").exists()
