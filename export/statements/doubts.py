"""The doubts about a bundle, in the words that all apps, the report and the terminal share."""

from __future__ import annotations

from ...manifest import Manifest
from ...statement import Degree
from ...texts import say
from ..checkpoint.head import OTHER

READING, READING_AND_OUTPUTS, OUTPUTS = "reading_assumed", "reading_outputs_assumed", "reading_outputs_alone"


def are_outputs_assumed(manifest: Manifest) -> bool:
    """Whether the value or the policy is assumed to be one from its shape alone."""
    return any(head.degree == Degree.ASSUMED and head.role != OTHER for head in manifest.outputs)


def list_doubts(manifest: Manifest) -> tuple[str, ...]:
    """The sentences, the board's first; empty if nothing that an app relies on is merely assumed."""
    return say_doubts(reading=manifest.assumed is not None, outputs=are_outputs_assumed(manifest))


def say_doubts(*, reading: bool, outputs: bool) -> tuple[str, ...]:
    """The sentences about assumptions, in the apps' words: how the board is read, and which output is which."""
    if reading:
        return (say(READING_AND_OUTPUTS if outputs else READING),)
    return (say(OUTPUTS),) * outputs
