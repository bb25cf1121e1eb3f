"""Processes that a test started, and their end."""

from __future__ import annotations

import os
import signal
import time

import pytest


def wait_for_the_end_of(group: int, seconds: float = 300.0) -> None:
    """Until no process of the group is left; where one stays the group is ended, and the test fails.

    A worker looks for its parent once a second, but not while TensorFlow's import holds the interpreter.
    """
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    os.killpg(group, signal.SIGKILL)
    pytest.fail(f"after {seconds} s processes of group {group} are still there")
