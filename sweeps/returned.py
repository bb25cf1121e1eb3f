"""Checks a cluster worker's answer for one checkpoint against the request, because an answer may be anything."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from ..bundle.case.checkpoint_file import stem_of
from ..bundle.contents.listing import check_measured
from ..bundle.contents.manifest import LISTING, MANIFEST, PARITY, load_manifest, read_json
from ..bundle.contents.manifest_model import first_fault, read_part
from ..cluster.parcel import BadParcel
from ..cluster.words import clean
from ..errors import AzxError
from ..export.checkpoint.foreign.beside import checkpoint_digest
from ..export.checkpoint.located import find_checkpoint
from ..manifest import Manifest
from .outcome import FAILED, PROVED, Outcome
from .sources import Item

# The types of a row's figures; None stands for an unknown figure.
WHOLE, NUMBER, TEXT = ("bytes", "positions", "parameters"), ("max_error", "limit", "best_move"), ("game", "precision")
MOST_SECONDS = 1e9
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def read_outcome(item: Item, head: Mapping[str, Any]) -> Outcome:
    """The outcome in the head of an answer, with its texts made safe to print; BadParcel if it has none."""
    try:
        status, code = head["status"], head["code"]
        if (status, code) not in ((PROVED, 0), (FAILED, 1), (FAILED, 3)):
            raise ValueError(status)
        skipped = {clean(name): clean(reason) for name, reason in dict(head["skipped"]).items()}
        seconds, message = float(head["seconds"]), clean(head["message"])
        data, parity = dict(head["manifest"]), dict(head["parity"])
        if not 0 <= seconds < MOST_SECONDS or (data and first_fault(data)):
            raise ValueError("it has no time, or no manifest")
        _check_texts(data, parity)
        manifest = read_part(Manifest, data) if data else None
        outcome = Outcome(item, status, seconds, code, message, None, manifest, parity, skipped)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise BadParcel("it states no outcome") from error
    check_figures(outcome)
    return outcome


def check_bundle(item: Item, names: Collection[str], place: Path, *, proved: bool) -> None:
    """BadParcel unless the staged files called `names` are a whole bundle of this checkpoint and nothing else.

    If the answer says `proved`, it must have a passed proof of each artifact.
    """
    try:
        manifest = load_manifest(place)
        check_measured(place)
    except AzxError as error:
        raise BadParcel(f"its bundle is not sound ({str(error).replace(str(place), item.name).rstrip('.')})") from error
    if manifest.checkpoint.sha256 != checkpoint_digest(item.checkpoint):
        raise BadParcel("its bundle is of another checkpoint")
    if manifest.name != stem_of(find_checkpoint(item.checkpoint)):
        raise BadParcel(f"its bundle has another name, {manifest.name!r}")
    if {entry.path for entry in manifest.files} | {MANIFEST, PARITY, LISTING} != set(names):
        raise BadParcel("it holds other files than its manifest lists")
    parity = read_parity(place)
    _check_texts(manifest.as_data(), parity)
    if not proved:
        return
    if parity.get("passed") is not True:
        raise BadParcel("its proof was not passed")
    if {proof["file"] for proof in parity["artifacts"]} != {artifact.path for artifact in manifest.artifacts}:
        raise BadParcel("its proof is of other artifacts than its manifest lists")


def read_parity(place: Path) -> dict[str, Any]:
    """The proof in a bundle's file; BadParcel if that is missing or damaged."""
    try:
        return read_json(place / PARITY, f"no {PARITY}")
    except AzxError as error:
        raise BadParcel(f"its {PARITY} is missing or damaged") from error


def check_figures(outcome: Outcome) -> None:
    """BadParcel if the outcome does not fit the table: words instead of numbers, or numbers instead of words."""
    not_proved = outcome.parity.get("not_proved", {})
    if not isinstance(not_proved, dict) or not all(isinstance(reason, str) for reason in not_proved.values()):
        raise BadParcel("its proof has other reasons than words")
    try:
        rows = outcome.rows()
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise BadParcel("its proof has no figures") from error
    for row in rows:
        sound = (
            all(row[name] is None or (type(row[name]) is int and abs(row[name]) < 2**63) for name in WHOLE)
            and all(row[name] is None or _is_number(row[name]) for name in NUMBER)
            and all(row[name] is None or isinstance(row[name], str) for name in TEXT)
            and row["equal"] in (True, False, None)
        )
        if not sound:
            raise BadParcel("its proof has other figures than a proof has")


def _is_number(value: object) -> bool:
    return type(value) in (int, float) and math.isfinite(value)  # type: ignore[arg-type]


def _check_texts(*values: object) -> None:
    """BadParcel for control characters in a text, at any depth: tables and pages show some of them."""
    left = list(values)
    while left:
        value = left.pop()
        if isinstance(value, Mapping):
            left += [*value, *value.values()]
        elif isinstance(value, list | tuple):
            left += value
        elif isinstance(value, str) and CONTROL.search(value):
            raise BadParcel("a text of its bundle has control characters")
