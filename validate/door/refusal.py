"""The sentence about a refused artifact: file, operation, node, reason, and what to do."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from ...errors import UnsafeArtifact, printable
from .limits import WORD_LENGTH

UNKNOWN = "is none of those that only calculate"
# The effect of an operation, by a part of its name in lower case; the first match counts.
_LOTS, _FILES, _CLOCK, _CODE, _PRINTS = "is random", "touches files", "reads the clock", "calls other code", "prints"
_STATE, _CHOOSES, _MORE = "keeps a state", "chooses what runs", "holds more than a tensor"
_WHY = (
    (("random", "multinomial", "bernoulli", "truncatednormal", "shuffle", "dropout", "rng"), _LOTS),
    (("file", "immutableconst", "restore", "save", "imagedecoder"), _FILES),
    (("timestamp", "deadline", "sleep"), _CLOCK),
    (("pyfunc", "custom", "delegate", "call", "partitioned", "remote", "invoke", "kernel"), _CODE),
    (("print", "summary", "debug"), _PRINTS),
    (("assert", "checknumerics", "abort"), "can end the program"),
    (("variable", "var_handle", "varhandle", "assign", "hashtable", "lookup", "queue", "state", "handle"), _STATE),
    (("svdf", "sequence_lstm", "sequence_rnn", "barrier", "accumulator", "reader", "iterator"), _STATE),
    (("while", "loop", "scan", "cond", "switch", "merge", "enter", "exit", "iteration"), _CHOOSES),
    (("sequence", "optional", "list", "tensorarray"), _MORE),
    (("string", "regex", "decode", "encode", "unicode"), "works on text"),
)
_ALONE = {"If": _CHOOSES, "IF": _CHOOSES, "Case": _CHOOSES, "NoOp": "calculates nothing"}


def why(operation: str) -> str:
    """The effect of an operation that is not allowed, as a clause."""
    low = operation.lower()
    reason_of_kind = next((reason for parts, reason in _WHY if any(part in low for part in parts)), UNKNOWN)
    return _ALONE.get(operation, reason_of_kind)


def unsafe(path: Path, what: str) -> UnsafeArtifact:
    """The error about an artifact; `what` is a clause."""
    return UnsafeArtifact(f"'{path}' was not run because {what}: do not use it, export its checkpoint again.")


def unsafe_operation(path: Path, operation: str, node: str, reason: str) -> UnsafeArtifact:
    """The error about one operation in an artifact; `reason` is a clause without its subject."""
    return unsafe(path, f"its operation {quoted(operation)} (node {quoted(node)}) {reason}")


def odd_word(words: Iterable[str], form: re.Pattern[str]) -> str | None:
    """The first of a file's words that is too long, or not of this form; None if all are right."""
    return next((word for word in words if len(word) > WORD_LENGTH or not form.fullmatch(word)), None)


def quoted(name: object) -> str:
    """A name from a file, in quotes, on one line, shortened if it is long."""
    text = printable(str(name)).replace("\n", "\\n")
    return f"'{text[:WORD_LENGTH]}...'" if len(text) > WORD_LENGTH else f"'{text}'"
