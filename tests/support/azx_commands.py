"""`azx ARGUMENTS` as tests run it: in this process with workers that stay loaded, or in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, chdir, contextmanager
from pathlib import Path
from typing import Any, Self
from unittest import mock

from click.testing import CliRunner

from azx.cli import cli
from azx.system.workers import Workers, load_tensorflow

# What brings no runtime into its own process, and starts no other processes than the two of `Workers`.
IN_THIS_PROCESS = (
    "export",
    "validate",
    "explain",
    "report",
    "inspect",
    "describe",
    "install",
    "games",
    "help",
    "completion",
)
# The user's own code.
IN_ITS_OWN = ("--builder", "--allow-code")
USERS_OF_WORKERS = ("azx.bundle.export", "azx.bundle.validate", "azx.explain.explain_bundle")


class KeptWorkers:
    """Two processes that stay loaded, as the workers of one export, proof or explanation after another.

    What the end of a block ends is its tasks, not the processes. For Keras 3, which a process with legacy Keras no
    longer loads, the block gets processes of its own.
    """

    def __init__(self, workers: Workers) -> None:
        self._workers, self._own = workers, ExitStack()

    def light(self, task: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Run `task` in the process without TensorFlow, in the folder that the caller is in."""
        return self._workers.light(run_in, Path.cwd(), task, *arguments)

    def tensorflow(self, task: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Run `task` in the process with TensorFlow, in the folder that the caller is in."""
        if task is load_tensorflow and arguments == (False,):
            self._workers = self._own.enter_context(Workers())
        return self._workers.tensorflow(run_in, Path.cwd(), task, *arguments)

    def finish(self) -> None:
        """Leave both processes idle."""
        self._workers.finish()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._own:
            self.finish()


def run_in(folder: Path, task: Callable[..., Any], *arguments: Any) -> Any:
    """Runs in a worker, which a command of another folder may have used before."""
    os.chdir(folder)
    return task(*arguments)


@contextmanager
def kept_workers() -> Iterator[None]:
    """All exports, proofs and explanations of the block, with no `workers` of their own, share two processes."""
    with Workers() as workers, ExitStack() as stack:
        for user in USERS_OF_WORKERS:
            stack.enter_context(mock.patch(f"{user}.Workers", side_effect=lambda: KeptWorkers(workers)))
        yield


def run_azx(folder: Path, *arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """`azx ARGUMENTS` in `folder`, which also keeps the note of the last bundle.

    In this process, or in one of its own where it has `options` for that, or loads runtimes.
    """
    given = [str(argument) for argument in arguments]
    if options or not given or given[0] not in IN_THIS_PROCESS or set(given) & set(IN_ITS_OWN):
        return run_in_a_process(folder, *arguments, **options)
    runner = CliRunner(env={"XDG_STATE_HOME": str(folder / ".state"), "AZX_DEBUG": None})
    with chdir(folder):
        ran = runner.invoke(cli, given, prog_name="azx", catch_exceptions=False)
    return without_traceback(subprocess.CompletedProcess(["azx", *given], ran.exit_code, ran.stdout, ran.stderr))


def run_in_a_process(folder: Path, *arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """`azx ARGUMENTS` in a process of its own, in `folder`."""
    environment = {**os.environ, "XDG_STATE_HOME": str(folder / ".state"), **options.pop("env", {})}
    environment.pop("AZX_DEBUG", None)
    command = [sys.executable, "-m", "azx", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, **options)
    return without_traceback(done)


def without_traceback(done: subprocess.CompletedProcess[str]) -> subprocess.CompletedProcess[str]:
    """`done`, if no traceback and no warning came on standard error."""
    assert "Traceback" not in done.stderr, done.stderr
    assert "Warning" not in done.stderr, done.stderr
    return done
