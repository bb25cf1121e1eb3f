"""A bundle whose manifest.json and golden.json are edited in place, and held to its checkpoint without a run of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from azx.bundle import proving, recorded
from azx.bundle.case import detection
from azx.bundle.case import positions as case_positions
from azx.bundle.claims import derived
from azx.bundle.claims.findings import Claims
from azx.bundle.contents.manifest import file_entry, load_manifest
from azx.bundle.validate import format_of
from azx.export.checkpoint.layer_graph import LayerGraph
from azx.export.checkpoint.read import read_checkpoint
from azx.export.graph import freeze as freezing
from azx.validate import positions as validate_positions
from azx.validate.played import play
from azx.validate.proof.calculation import Comparison
from azx.validate.proof.proof import Proof
from azx.validate.proof.truth import Truth

Data = dict[str, Any]
Edit = Callable[[Data], Any]


@dataclass(frozen=True, eq=False)
class Held:
    """A bundle that is edited in place, and how its claims are found without a run of its artifacts."""

    folder: Path
    graph: LayerGraph
    workers: Any
    honest: Data
    golden: Data

    def told(self, edit: Edit, file: str) -> None:
        """Write both files, one of them edited, with the hash that goes with it."""
        manifest, golden = json.loads(json.dumps(self.honest)), json.loads(json.dumps(self.golden))
        if file == "golden.json":
            edit(golden)
        path = self.folder / "golden.json"
        path.write_text(json.dumps(golden))
        entry = file_entry(self.folder, path).as_data()
        manifest["files"] = [entry if each["path"] == path.name else each for each in manifest["files"]]
        if file == "manifest.json":
            edit(manifest)
        (self.folder / "manifest.json").write_text(json.dumps(manifest))

    def claims(self, *, against: bool) -> Claims:
        """What is found of the manifest and the golden file as they are now."""
        manifest = load_manifest(self.folder)
        formats = [(each.path, format_of(self.folder, each)) for each in manifest.artifacts]
        job = proving.Validation(self.folder, manifest, formats, self.workers, lambda step: None, seed=7)
        return (job.against(self.graph, None, None, None) if against else job.by_golden())[1]


def hold(folder: Path, checkpoint: Path, workers: Any) -> Held:
    """The bundle in `folder`, as it is."""
    honest, golden = (json.loads((folder / name).read_text()) for name in ("manifest.json", "golden.json"))
    return Held(folder, read_checkpoint(checkpoint), workers, honest, golden)


@dataclass
class Once:
    """Makes azx compute just once what does not depend on a lie, and run no artifact."""

    seen: dict[str, Any] = field(default_factory=dict)

    def put_in(self, patch: pytest.MonkeyPatch) -> None:
        """Do so as long as `patch` lasts."""
        positions, game_of, freeze = validate_positions.positions, detection.game_of, freezing.freeze
        compare = Comparison.of

        def drawn(reading: Any, name: str, count: int, seed: int, per_game: int | None = None) -> Any:
            key = f"{reading.as_data()} {name} {count} {seed} {per_game}"
            return self._once(key, lambda: positions(reading, name, count, seed, per_game))

        def played(graph: Any, heads: Any, reading: Any, counts: Any, drawn: Any) -> Any:
            key = f"{heads} {reading.as_data()} {counts} {drawn.seed} {len(drawn)}"
            return self._once(key, lambda: play(graph, heads, reading, counts, drawn))

        def told(graph: Any, heads: Any, game: Any) -> Any:
            return self._once(str(heads), lambda: game_of(graph, heads, game))

        def frozen(graph: Any, names: Any, batch: int | None) -> Any:
            """What is frozen depends on the names that a manifest amounts to, and on no other word of it."""
            shapes = self._once("shapes", lambda: [head.shape for head in freeze(graph, names, batch).outputs])
            return self._once(f"{names(shapes)} {batch}", lambda: freeze(graph, names, batch))

        def compared(self_: Comparison, path: Path, format_name: str) -> Any:
            return self._once(f"{path} {self_.outputs} {self_.inputs}", lambda: compare(self_, path, format_name))

        def unproved(self: Any, case: Any, heads: Any, truth: Truth, *gates: Any, **fresh: Any) -> Proof:
            return Proof("", len(case.positions), "", truth.by, (), ())

        patch.setattr(detection, "positions", drawn)
        patch.setattr(case_positions, "positions", drawn)
        patch.setattr(case_positions, "play", played)
        patch.setattr(recorded, "game_of", told)
        patch.setattr(derived, "game_of", told)
        patch.setattr(derived, "freeze", frozen)
        patch.setattr(Comparison, "of", compared)
        patch.setattr(proving.Validation, "_prove", unproved)

    def _once(self, key: str, compute: Callable[[], Any]) -> Any:
        if key not in self.seen:
            self.seen[key] = compute()
        return self.seen[key]
