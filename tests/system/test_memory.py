"""Memory that has run out is known by each of the ways in which libraries say so, and nothing else is taken for it."""

from __future__ import annotations

import errno
import os

import pytest

from azx.errors import AzxError
from azx.system.memory import TOO_LITTLE, has_run_out
from azx.system.workers import run_shielded


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OSError(errno.ENOMEM, os.strerror(errno.ENOMEM)),
        ImportError("libtensorflow_cc.so.2: failed to map segment from shared object"),
        ImportError("libx.so: cannot create shared object descriptor: Cannot allocate memory"),
    ],
)
def test_each_way_is_known(error: Exception) -> None:
    assert has_run_out(error)


@pytest.mark.parametrize(
    "error",
    [OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), ImportError("No module named 'x'"), ValueError("memory")],
)
def test_other_errors_are_not(error: Exception) -> None:
    assert not has_run_out(error)


def test_a_task_that_runs_out_of_memory_in_a_worker_says_what_helps() -> None:
    def allocate() -> None:
        raise MemoryError("Unable to allocate 1 TiB")

    with pytest.raises(AzxError) as caught:
        run_shielded(allocate)
    assert str(caught.value) == TOO_LITTLE
