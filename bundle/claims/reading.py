"""Compares the manifest's game and reading with the rules, the shapes, and positions drawn again."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import GameError
from ...export.checkpoint.head import VALUE, Head
from ...games.game import Reading
from ...games.known import recognition
from ...games.known.catalogue import GAMES, title_of
from ...games.value import ORDER, reading_of_value
from ...manifest import Manifest, plain
from ...manifest import Positions as Stated
from ...validate.extremes import POOL
from ...validate.positions import Positions, positions
from ..contents.describe import FROM_FILE, FROM_GAME, RANDOM
from ..contents.golden import GOLDEN_POSITIONS
from ..contents.manifest import GOLDEN
from ..contents.playable import problems_of
from .findings import FORGED, Findings, shorten_value
from .table import ABSENT, CHECKPOINT_ALONE

NO_FILE = "are versions on the exporter's machine, which no file states"
# The remark in a description if fewer positions exist than were asked for.
_ASKED = re.compile(r" \(all that were found of ([0-9,]{1,20}) asked\)$")


def has_option(manifest: Manifest, *options: str) -> bool:
    """Whether the manifest records that the exporter gave one of these options."""
    return any(option in (manifest.chosen or ()) for option in options)


def claimed_reading(findings: Findings, manifest: Manifest, width: int | None) -> Reading | None:
    """The manifest's reading; None without a game, or if the reading is false.

    `width` is the policy's, None without a policy.
    """
    name = manifest.game
    if not name:
        for member in ("settings", "encoding", "actions"):
            if value := plain(getattr(manifest, member)):
                findings.refute(member, f"is {shorten_value(value)}, but no game is named")
        return None
    if name not in GAMES:
        findings.refute("game", f"is {shorten_value(name)}, and azx knows {', '.join(GAMES)}")
        return None
    if manifest.encoding is None:
        findings.refute("encoding", f"is null, but the game is {name}")
        return None
    count = manifest.encoding.input_count
    if len(manifest.inputs) != count:
        has = f"the network has {len(manifest.inputs)} inputs, but its encoding fills {count}"
        findings.refute("game", f"is {shorten_value(name)}, and {has}")
        return None
    return _sound(findings, manifest, width)


def _sound(findings: Findings, manifest: Manifest, width: int | None) -> Reading | None:
    """The reading of a named and described game, if azx can draw it and it fits the network."""
    name, shapes = manifest.game or "", [port.shape for port in manifest.inputs]
    settings = manifest.settings or {}
    try:
        GAMES[name].begin(settings)
    except GameError as error:
        findings.refute("settings", f"cannot be: {_clause(error)}")
        return None
    try:
        reading = recognition.reading_from(manifest.reading, width)
    except GameError as error:
        text = _clause(error)
        findings.refute(
            "actions" if "actions" in text or "policy" in text else "encoding", f"does not fit {name}: {text}"
        )
        return None
    if not recognition.makes_inputs(reading.encoding, shapes):
        made, taken = (" and ".join(map(str, each)) for each in (reading.encoding.input_shapes, shapes))
        findings.refute("encoding", f"makes a tensor of {made}, and the network takes {taken}")
        return None
    data, stated = reading.as_data(), manifest.reading
    known = {key: value for key, value in data["encoding"].items() if key in stated["encoding"]}
    findings.same("encoding", stated["encoding"], known)
    findings.same("actions", stated["actions"], data["actions"])
    _check_settings(findings, manifest, reading)
    return reading


def _clause(error: GameError) -> str:
    return str(error).rstrip(".")


def _check_settings(findings: Findings, manifest: Manifest, reading: Reading) -> None:
    """Check the settings: they follow from the board's size, or from a recorded --encoding file."""
    boards = {tuple(s.encodings[0].board): dict(s.settings) for s in reading.game.shapes}
    derived, stated = boards.get(reading.encoding.board), dict(manifest.settings or {})
    if manifest.settings is None:
        findings.refute_if_current("settings", f"is null, but the game is {reading.game.name}")
    if derived is None or stated in (derived, {}):
        return
    if has_option(manifest, "--encoding"):
        findings.doubt("settings", f"is {shorten_value(stated)}, a choice of the exporter's (--encoding)")
    else:
        findings.refute(
            "settings", f"is {shorten_value(stated)} and not {shorten_value(derived)}, which the shapes determine"
        )


def check_values(findings: Findings, heads: Sequence[Head], manifest: Manifest) -> None:
    """Check how each value is read, by its width and activation; `heads` are the manifest's, in its order."""
    for number, (head, stated) in enumerate(zip(heads, manifest.outputs, strict=True)):
        member, order = f"outputs[{number}]", plain(stated.order)
        if head.role != VALUE or head.width not in (1, len(ORDER)):
            derived: Mapping[str, Any] = {}
        else:
            try:
                derived = reading_of_value(head.width, head.activation, order=order).as_data()
                derived = {name: value for name, value in derived.items() if name != "order" or order}
            except GameError as error:
                findings.refute(f"{member}.order", f"is {shorten_value(order)}: {_clause(error)}")
                continue
        for name in ("value_range", "order"):
            if plain(getattr(stated, name)) is None and derived.get(name) is not None:
                findings.doubt(f"{member}.{name}", ABSENT)
            else:
                why = f"which follows from {head.width} x {head.activation} of a {head.role}"
                findings.same(f"{member}.{name}", plain(getattr(stated, name)), derived.get(name), why)


def check_problems(findings: Findings, manifest: Manifest) -> None:
    """Compare the reasons why an app cannot play the bundle with the other members; older manifests have none."""
    stated, derived = manifest.problems, tuple(problems_of(manifest))
    if stated is None:
        findings.doubt("problems", ABSENT)
    elif stated != derived:
        findings.refute_if_current(
            "problems", f"is {shorten_value(plain(stated))} and not {shorten_value(plain(derived))}"
        )


def check_inputs(findings: Findings, manifest: Manifest) -> None:
    """Check each input's layout, as far as its number of axes determines it."""
    for number, spec in enumerate(manifest.inputs):
        by_rank = {1: ("flat",), 2: ("board",)}.get(len(spec.shape), ("channels_first", "channels_last"))
        if spec.layout not in by_rank:
            findings.refute(
                f"inputs[{number}].layout",
                f"is {shorten_value(spec.layout)}, and a shape of {list(spec.shape)} is {' or '.join(by_rank)}",
            )


def check_positions(findings: Findings, manifest: Manifest) -> None:
    """Check that the source, number, seed and description of the proof's positions fit together."""
    said = manifest.positions
    source, count, seed = said.source, said.count, said.seed
    game = manifest.game
    if not count:
        findings.refute("positions.count", "is 0: nothing was proved")
    if source != FROM_FILE:
        right = FROM_GAME if game else RANDOM
        findings.same("positions.source", source, right, f"as the game is {shorten_value(game)}")
    if (seed is None) != (source == FROM_FILE):
        findings.refute("positions.seed", f"is {shorten_value(seed)}, and the positions are of {shorten_value(source)}")
    title = game and title_of(game)
    begin = {
        FROM_GAME: f"{count:,} distinct legal positions of {title}, seed {seed}",
        RANDOM: f"{count:,} distinct random boards, seed {seed}",
        FROM_FILE: f"{count:,} positions from ",
    }[source]
    if not _ASKED.sub("", said.description).startswith(begin):
        member = (
            "positions.count"
            if begin.partition(" ")[0] != said.description.partition(" ")[0]
            else "positions.description"
        )
        ours = shorten_value(getattr(said, member.partition(".")[2]))
        findings.refute_if_current(member, f"is {ours}, but count, seed and source give {shorten_value(begin)}")
    looked = said.looked_through
    if looked > POOL * count:
        findings.refute(
            "positions.looked_through", f"is {looked:,}, and at most {POOL * count:,} are, for {count:,} positions"
        )
    if 0 < count < GOLDEN_POSITIONS:
        findings.doubt("positions.count", f"is {count:,}: so few positions prove little, say more with --positions")


def check_drawn(findings: Findings, said: Stated, boards: Positions) -> None:
    """Compare the statements about the positions with `boards`, the positions drawn again."""
    for name in ("extreme", "looked_through"):
        findings.same(f"positions.{name}", getattr(said, name), getattr(boards, name), "as the network finds")
    if said.description != boards.description:
        says = f"is {shorten_value(said.description)} and not {shorten_value(boards.description)}, as drawn again"
        findings.refute_if_current("positions.description", says)


def positions_asked_for(manifest: Manifest) -> int:
    """The number of positions asked for, if the description says that fewer exist; else their number."""
    remark = _ASKED.search(manifest.positions.description)
    count = manifest.positions.count
    return max(count, int(remark[1].replace(",", ""))) if remark else count


def list_open(findings: Findings, claimed: Reading | None) -> None:
    """List the claims that neither artifacts nor rules can prove; `claimed` is the reading if it fits."""
    findings.doubt("converters", NO_FILE)
    for member in CHECKPOINT_ALONE:
        findings.doubt(member, "is known from the checkpoint alone")
    if claimed is not None:
        findings.doubt(
            "encoding", "fits the game and the golden positions, but whether the network reads it so is unknown"
        )
    findings.doubt("outputs", f"may be nobody's: {FORGED}", GOLDEN)


def draw_again(manifest: Manifest, reading: Reading | None) -> Positions | None:
    """The first of the manifest's positions, drawn again; None without a known game."""
    said = manifest.positions
    if reading is None or said.source != FROM_GAME:
        return None
    count = max(1, min(said.count, GOLDEN_POSITIONS))
    return positions(reading, manifest.input_shapes, count, said.seed or 0)
