"""How the sender of a task opens a worker's answer: its versions, the error in it, what cannot be used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .cluster import ClusterError, Lost
from .parcel import BadParcel, Parcel, unpack
from .remote_play import error_of
from .versions import difference, versions
from .words import clean


def received(answer: bytes | Lost) -> bytes:
    """The answer; ClusterError if no worker finished the task."""
    if isinstance(answer, Lost):
        raise ClusterError(f"No worker finished a task: {answer.reason}; the same command resumes.")
    return answer


def open_answer(answer: bytes, count: int = 0) -> Parcel:
    """The parcel of an answer about `count` networks; raises the error that it reports.

    BadParcel, KeyError, TypeError or ValueError if it is no answer.
    """
    parcel = unpack(answer)
    check_versions(parcel.head)
    if "error" in parcel.head:
        raise error_of(parcel.head, count)
    return parcel


def check_versions(head: Mapping[str, Any]) -> None:
    """ClusterError if the worker refused a task because its versions differ; BadParcel if it names none."""
    if "versions" not in head:
        return
    there = head["versions"]
    sentence = difference(str(head.get("worker")), there, versions()) if isinstance(there, dict) else None
    raise BadParcel("it states no versions") if sentence is None else ClusterError(sentence)


def unusable(reason: str) -> ClusterError:
    """The error for an answer that is none, for a `reason` that is a clause."""
    return ClusterError(
        f"A worker's answer cannot be used ({clean(reason)}): the same command resumes, once that worker is gone."
    )
