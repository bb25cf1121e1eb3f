"""The outcome of one checkpoint of a sweep, and its rows in the table of all: one for each artifact."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..bundle.contents.listing import read_measured
from ..bundle.contents.manifest import LISTING, PARITY, read_manifest
from ..errors import BundleError
from ..manifest import Artifact, Manifest
from ..validate.gate.verdict import BEST_MOVE
from .sources import Item

if TYPE_CHECKING:
    from ..match.rating.elo import Interval
    from ..match.result import Count

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
class CheckpointRating:
    """A checkpoint's rating in Elo points (the mean of its standings is 0), and its games.

    `superiority` is the likelihood that it is better than the one before it in the standings; None for the first.
    """

    elo: Interval
    count: Count
    superiority: float | None

    def as_data(self) -> dict[str, Any]:
        """The rating's columns of the table; an infinite end of the interval is None."""
        elo = {"elo": self.elo.value, "elo_low": self.elo.low, "elo_high": self.elo.high}
        return {
            **{name: round(value, 1) if math.isfinite(value) else None for name, value in elo.items()},
            "games": self.count.games,
            "points": self.count.points,
            "superiority": None if self.superiority is None else round(self.superiority, 4),
        }


@dataclass(frozen=True, eq=False)
class Outcome:
    """The outcome of one checkpoint.

    `status` is proved, kept (proved earlier, and still there, whole) or failed. `code` is the exit code that
    `azx export` would have had; `message` says what went wrong. `folder` has the artifacts, even unequal ones; None if
    there is no such folder. `manifest` and `parity` are that folder's, None and empty without a bundle.
    `skipped` has the reason for each format that was not written. `rating` is None if the networks did not play;
    `unrated` says why this network has none.
    """

    item: Item
    status: str
    seconds: float = 0.0
    code: int = 0
    message: str = ""
    folder: Path | None = None
    manifest: Manifest | None = None
    parity: Mapping[str, Any] = field(default_factory=dict)
    skipped: Mapping[str, str] = field(default_factory=dict)
    rating: CheckpointRating | None = None
    unrated: str | None = None

    def rows(self) -> list[Row]:
        """A row for each artifact; without artifacts a single row without figures."""
        manifest = self.manifest
        whole = dict.fromkeys(COLUMNS) | {
            "checkpoint": str(self.item.checkpoint),
            "bundle": str(self.folder) if self.folder else None,
            "status": self.status,
            "positions": self.parity.get("positions"),
            "game": manifest.game if manifest else None,
            "parameters": manifest.checkpoint.parameters if manifest else None,
            "sha256": manifest.checkpoint.sha256 if manifest else None,
            "seconds": round(self.seconds, 3),
            "message": self.message or None,
            **(self.rating.as_data() if self.rating else {}),
            "unrated": self.unrated,
        }
        proofs = {item["file"]: item for item in self.parity.get("artifacts", [])}
        if manifest is None or not manifest.artifacts:
            return [whole]
        return [{**whole, **_figures(each, manifest, proofs.get(each.path, {}))} for each in manifest.artifacts]


def _figures(artifact: Artifact, manifest: Manifest, proof: Mapping[str, Any]) -> Row:
    """The figures of the head nearest to its limit, or farthest over it."""
    heads = proof.get("heads", [])
    worst: Mapping[str, Any] = max(heads, key=_share_of_limit, default={})
    checks = (proof.get("gate") or {}).get("checks", [])
    moves = [head["best_move_agreement"] for head in heads if "best_move_agreement" in head]
    moves += [check["value"] for check in checks if check["metric"] == BEST_MOVE]
    return {
        "format": artifact.format,
        "precision": artifact.precision,
        "file": artifact.path,
        # None also if its runtime is not installed here.
        "equal": None if proof.get("proved") is False else proof.get("passed"),
        "bytes": manifest.size_of(artifact.path),
        "max_error": worst.get("max_error"),
        "limit": worst.get("limit"),
        "best_move": min(moves, default=None),
    }


def _share_of_limit(head: Mapping[str, Any]) -> float:
    """A head's largest error as a share of its limit; infinite if the error is null, so not a number."""
    return math.inf if head["max_error"] is None else float(head["max_error"] / head["limit"])


def of_bundle(item: Item, status: str, folder: Path, **more: Any) -> Outcome:
    """The outcome with `folder` as its bundle; BundleError if the bundle cannot be read."""
    manifest, parity = read_manifest(folder), read_measured(folder)
    if parity is None:
        raise BundleError(f"'{folder}' holds no {PARITY} that {LISTING} lists: export the checkpoint again.")
    return Outcome(item, status, folder=folder, manifest=manifest, parity=parity, **more)


def likely(share: float) -> str:
    """A likelihood in percent; only certainty shows as 100 %."""
    return "over 99.9 %" if share > 1 - TINY else "under 0.1 %" if share < TINY else f"{100 * share:.1f} %"
