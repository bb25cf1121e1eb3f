"""What became of one checkpoint of a sweep, and its rows in the table of all: one for each artifact."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..bundle.manifest import PARITY, belongs, read_json, read_manifest
from ..validate.gate.verdict import BEST_MOVE
from .found import Item

if TYPE_CHECKING:
    from ..play.match_result import Count
    from ..play.rating.elo import Interval

PROVED, KEPT, FAILED = "proved", "kept", "failed"
COLUMNS = (
    "checkpoint",
    "bundle",
    "status",
    "format",
    "precision",
    "file",
    "equal",
    "bytes",
    "max_error",
    "limit",
    "best_move",
    "positions",
    "game",
    "parameters",
    "sha256",
    "seconds",
    "message",
    "elo",
    "elo_low",
    "elo_high",
    "games",
    "points",
    "superiority",
    "unrated",
)
Row = dict[str, Any]
TINY = 0.0005


@dataclass(frozen=True)
class Rated:
    """What games told of one checkpoint: its rating in Elo points, the mean of its standings being 0, and its games.

    `superiority` is how likely it is better than the one before it in the standings; None for the first.
    """

    elo: Interval
    count: Count
    superiority: float | None

    def as_data(self) -> dict[str, Any]:
        """Its columns of the table; an end of the interval that is at infinity is None."""
        elo = {"elo": self.elo.value, "elo_low": self.elo.low, "elo_high": self.elo.high}
        return {
            **{name: round(value, 1) if math.isfinite(value) else None for name, value in elo.items()},
            "games": self.count.games,
            "points": self.count.points,
            "superiority": None if self.superiority is None else round(self.superiority, 4),
        }


@dataclass(frozen=True, eq=False)
class Outcome:
    """One checkpoint, done.

    `status` is proved, kept (it was done before, and is there still, whole) or failed; `code` is the exit code that
    `azx export` would have ended with; `message` says what went wrong. `folder` has the artifacts, those that are not
    equal too; None where there are none. `manifest` and `parity` are what lies there. `skipped` has the reason for each
    format that was not written. `rating` is there where the networks played; `unrated` says why this one did not.
    """

    item: Item
    status: str
    seconds: float = 0.0
    code: int = 0
    message: str = ""
    folder: Path | None = None
    manifest: Mapping[str, Any] = field(default_factory=dict)
    parity: Mapping[str, Any] = field(default_factory=dict)
    skipped: Mapping[str, str] = field(default_factory=dict)
    rating: Rated | None = None
    unrated: str | None = None

    def rows(self) -> list[Row]:
        """A row for each artifact; a single one, without any figure, where there is none."""
        whole = dict.fromkeys(COLUMNS) | {
            "checkpoint": str(self.item.checkpoint),
            "bundle": str(self.folder) if self.folder else None,
            "status": self.status,
            "positions": self.parity.get("positions"),
            "game": self.manifest.get("game"),
            "parameters": self.manifest.get("checkpoint", {}).get("parameters"),
            "sha256": self.manifest.get("checkpoint", {}).get("sha256"),
            "seconds": round(self.seconds, 3),
            "message": self.message or None,
            **(self.rating.as_data() if self.rating else {}),
            "unrated": self.unrated,
        }
        proofs = {item["file"]: item for item in self.parity.get("artifacts", [])}
        artifacts = self.manifest.get("artifacts", [])
        return [{**whole, **self._artifact(entry, proofs.get(entry["path"], {}))} for entry in artifacts] or [whole]

    def _artifact(self, entry: Mapping[str, Any], proof: Mapping[str, Any]) -> Row:
        """The figures of the head that is nearest to its limit, or farthest over it."""
        heads = proof.get("heads", [])
        worst: Mapping[str, Any] = max(heads, key=_share_of_limit, default={})
        checks = (proof.get("gate") or {}).get("checks", [])
        moves = [head["best_move_agreement"] for head in heads if "best_move_agreement" in head]
        moves += [check["value"] for check in checks if check["metric"] == BEST_MOVE]
        return {
            "format": entry["format"],
            "precision": entry["precision"],
            "file": entry["path"],
            # Neither where its runtime is not installed here.
            "equal": None if proof.get("proved") is False else proof.get("passed"),
            "bytes": sum(file["size"] for file in self.manifest["files"] if belongs(file["path"], entry["path"])),
            "max_error": worst.get("max_error"),
            "limit": worst.get("limit"),
            "best_move": min(moves, default=None),
        }


def _share_of_limit(head: Mapping[str, Any]) -> float:
    """How much of its limit a head's largest error is; an error that is no number is written as null."""
    return math.inf if head["max_error"] is None else float(head["max_error"] / head["limit"])


def of_bundle(item: Item, status: str, folder: Path, **more: Any) -> Outcome:
    """The outcome of which `folder` is the bundle; BundleError where it cannot be read."""
    manifest, parity = read_manifest(folder), read_json(folder / PARITY, f"'{folder}' holds no {PARITY}.")
    return Outcome(item, status, folder=folder, manifest=manifest, parity=parity, **more)


def likely(share: float) -> str:
    """A likelihood in percent; one that is nearly sure is not called sure."""
    return "over 99.9 %" if share > 1 - TINY else "under 0.1 %" if share < TINY else f"{100 * share:.1f} %"
