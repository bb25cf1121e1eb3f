"""Draws a bundle's recorded positions again: those of its proof and of golden.json, and fresh ones beside them."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from ..errors import AzxError, BundleError, GameError
from ..games.game import Reading
from ..manifest import Calculation, Manifest
from ..validate import whole_numbers
from ..validate.extremes import pool_size
from ..validate.positions import Positions
from ..validate.positions_file import GivenArrays, from_user
from ..validate.proof.calculation import SAME
from .case.detection import game_of, policy_width
from .case.original import Original, join_rows
from .case.positions import OF_ROUNDING, draw_positions, fresh_positions, recorded_positions, usual_count
from .claims.evidence import GoldenRows
from .claims.findings import Claims, is_current, settle
from .claims.golden import are_same
from .claims.reading import check_positions, positions_asked_for
from .contents.describe import FROM_FILE, FROM_GAME
from .contents.golden import GOLDEN_POSITIONS, GoldenFile, read_golden
from .contents.manifest import is_shown
from .precision.reached import Player

# The most numbers in the boards of a recorded count, some hundred megabytes. A manifest may state any count; above this
# the user must give --positions. An export with the usual count stays far below.
MOST_NUMBERS = 200_000_000


@dataclass(frozen=True, eq=False)
class RecordedPositions:
    """The positions that a bundle records, drawn again for its `original`; `player` plays for those of self-play."""

    folder: Path
    manifest: Manifest
    original: Original
    player: Player

    def positions(self, inputs: Path | GivenArrays | None, count: int | None) -> Positions:
        """The proof's positions: the recorded ones, `count` of their kind, or those of the user's file `inputs`.

        AzxError if they cannot be drawn, or do not fit.
        """
        drawn = self._positions(inputs, count)
        whole_numbers.check(self.original.graph, drawn.feeds)
        return drawn

    def _positions(self, inputs: Path | GivenArrays | None, count: int | None) -> Positions:
        said, original = self.manifest.positions, self.original
        if inputs is not None:
            names = list(original.names.values())
            return from_user(inputs, original.graph.inputs, names, policy_width(original.heads))
        if said.source == FROM_FILE:
            raise GameError(f"'{self.folder}' was proved on a file of positions: give it again with --inputs FILE.npz.")
        if count is None and self._stated.is_false("positions.count"):
            count = GOLDEN_POSITIONS  # their number is unknown, but the recorded ones are among them
        number = count or positions_asked_for(self.manifest)
        if count is None and not self._is_affordable(number):
            raise AzxError(f"'{self.folder}' records {number:,} positions: say how many with --positions.")
        look_through = self._look_through() if count is None else said.looked_through
        seed = said.seed or 0
        return recorded_positions(original.graph, original.heads, self._drawn_as, seed, number, look_through)

    def with_fresh(
        self, boards: Positions, seed: int, files: int, compared: Mapping[str, Calculation], count: int | None
    ) -> Positions:
        """The positions, and fresh ones by `seed`, which no author could know; a user's own get no fresh ones.

        `compared` are those of the bundle's `files` that could be compared with the checkpoint. The number of fresh
        positions is the recorded one, or the user's `count`. It is smaller if every file is shown to be the same
        calculation, because they then measure only rounding. If a file is not the same but was called so, it is the
        number that an export takes without that claim.
        """
        if boards.seed is None:
            return boards
        number, original = boards.drawn, self.original
        shown = all(each.verdict == SAME for each in compared.values()) and len(compared) == files
        if count is None and shown:
            number = min(number, OF_ROUNDING)
        elif count is None and any(is_shown(each) for each in self.manifest.artifacts) and not shown:
            number = max(number, usual_count(original.graph, self._drawn_as, original.work)[0])
        fresh = fresh_positions(original.graph, original.heads, self._drawn_as, boards, seed, number)
        if not len(fresh):
            none = "no position was found that is not recorded: an author of the artifacts could know all of them"
            return replace(boards, note="; ".join(filter(None, [boards.note, none])))
        return boards.with_fresh(fresh)

    def _look_through(self) -> int:
        """The number of positions in which an export looks for extreme ones; the manifest's if unknown."""
        said = self.manifest.positions
        if self._stated.is_false("positions.looked_through"):
            return 0
        if not is_current(self.manifest) or (said.source != FROM_GAME and not said.looked_through):
            return said.looked_through
        return pool_size(said.count, self.original.work)

    @cached_property
    def _stated(self) -> Claims:
        """What is false of the statements about the positions by themselves."""
        return settle(check_positions(self.manifest), current=is_current(self.manifest))

    def _is_affordable(self, number: int) -> bool:
        return number * sum(prod(spec.shape) for spec in self.original.graph.inputs) <= MOST_NUMBERS

    @cached_property
    def _drawn_as(self) -> Reading | None:
        """The reading by which the positions are drawn: the manifest's, else the checkpoint's if a game is named."""
        claimed = self.player.reading
        if claimed is None and self.manifest.game:
            with suppress(GameError):
                claimed = game_of(self.original.graph, self.original.heads, None).reading
        return claimed

    def golden_rows(self, boards: Positions, *, again: bool) -> GoldenRows:
        """golden.json beside the positions that it must hold; they are drawn `again` if `boards` are others."""
        graph, own = self.original.graph, self.original.names
        ports = {own[spec.name]: spec.shape for spec in graph.inputs}
        try:
            golden = read_golden(self.folder, ports, self.original.heads)
        except BundleError as error:
            return GoldenRows(boards.feeds, len(boards), fault=f"cannot be read: {str(error).rstrip('.')}")
        source_of = {name: source for source, name in own.items()}
        rows = {source_of[name]: feed for name, feed in golden.positions.feeds.items()}
        first, begins = boards.first(GOLDEN_POSITIONS), 0
        users_own = self.manifest.positions.source == FROM_FILE
        if again and not users_own:
            # A game's first positions do not depend on their number; random boards do.
            most = GOLDEN_POSITIONS if self.player.reading else sys.maxsize
            number, seed = min(positions_asked_for(self.manifest), most), self.manifest.positions.seed or 0
            if not self._is_affordable(number):
                return self._as_recorded(boards, golden, rows)
            first = draw_positions(graph, self._drawn_as, max(1, number), seed).first(GOLDEN_POSITIONS)
            begins = len(boards)
        drawn = self.original.fed(first)
        if are_same(drawn.feeds, golden.positions.feeds):
            return GoldenRows(join_rows(boards.feeds, first.feeds) if begins else boards.feeds, begins, golden, drawn)
        return self._as_recorded(boards, golden, rows, None if users_own else drawn)

    def _as_recorded(
        self,
        boards: Positions,
        golden: GoldenFile,
        rows: Mapping[str, NDArray[Any]],
        drawn: Positions | None = None,
    ) -> GoldenRows:
        """golden.json's positions if they differ from those at hand; the network answers them as recorded.

        `drawn` are those that it must hold, None if unknown.
        """
        graph = self.original.graph
        cast = {spec.name: rows[spec.name].astype(spec.dtype) for spec in graph.inputs}
        try:
            whole_numbers.check(graph, cast)
        except GameError as error:
            fault = f"cannot be fed to the network: {str(error).rstrip('.')}"
            return GoldenRows(boards.feeds, len(boards), fault=fault)
        return GoldenRows(join_rows(boards.feeds, cast), len(boards), golden, drawn)
