"""Compares the manifest's game and reading with the rules, the shapes, and positions drawn again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ...errors import GameError
from ...games.game import Reading
from ...games.known import recognition
from ...games.known.catalogue import GAMES, title_of
from ...manifest import Manifest, plain
from ...validate.extremes import POOL
from ...validate.positions import Positions, positions
from ..case.detection import policy_width
from ..contents.describe import FROM_FILE, FROM_GAME, RANDOM
from ..contents.golden import GOLDEN_POSITIONS
from ..contents.manifest import GOLDEN
from .evidence import Evidence
from .findings import FORGED, Finding, compare, differ, doubt, refute, refute_if_current, shorten_value
from .table import CHECKPOINT_ALONE, diff

# The remark in a description if fewer positions exist than were asked for.
_ASKED = re.compile(r" \(all that were found of ([0-9,]{1,20}) asked\)$")


def has_option(manifest: Manifest, *options: str) -> bool:
    """Whether the manifest records that the exporter gave one of these options."""
    return any(option in (manifest.chosen or ()) for option in options)


def claimed_reading(manifest: Manifest, width: int | None) -> Reading | None:
    """The manifest's reading; None without a game, or if the reading is false.

    `width` is the policy's, None without a policy.
    """
    return _read_claim(manifest, width)[0]


def check_reading(manifest: Manifest, evidence: Evidence) -> Iterator[Finding]:
    """Check that the named game can be played and read by this network."""
    yield from _read_claim(manifest, policy_width(evidence.heads))[1]


def _read_claim(manifest: Manifest, width: int | None) -> tuple[Reading | None, list[Finding]]:
    """The claimed reading, None if false or without a game, and the findings about it."""
    name, shapes = manifest.game, [port.shape for port in manifest.inputs]
    if not name:
        values = {member: plain(getattr(manifest, member)) for member in ("settings", "encoding", "actions")}
        clauses = {member: f"is {shorten_value(value)}, but no game is named" for member, value in values.items()}
        return None, [refute(member, says) for member, says in clauses.items() if values[member]]
    if name not in GAMES:
        return None, [refute("game", f"is {shorten_value(name)}, and azx knows {', '.join(GAMES)}")]
    if manifest.encoding is None:
        return None, [refute("encoding", f"is null, but the game is {name}")]
    count = manifest.encoding.input_count
    if len(shapes) != count:
        has = f"the network has {len(shapes)} inputs, but its encoding fills {count}"
        return None, [refute("game", f"is {shorten_value(name)}, and {has}")]
    try:
        GAMES[name].begin(manifest.settings or {})
    except GameError as error:
        return None, [refute("settings", f"cannot be: {_clause(error)}")]
    try:
        reading = recognition.reading_from(manifest.reading, width)
    except GameError as error:
        text = _clause(error)
        member = "actions" if "actions" in text or "policy" in text else "encoding"
        return None, [refute(member, f"does not fit {name}: {text}")]
    if not recognition.makes_inputs(reading.encoding, shapes):
        made, taken = (" and ".join(map(str, each)) for each in (reading.encoding.input_shapes, shapes))
        return None, [refute("encoding", f"makes a tensor of {made}, and the network takes {taken}")]
    data, stated = reading.as_data(), manifest.reading
    known = {key: value for key, value in data["encoding"].items() if key in stated["encoding"]}
    return reading, [
        *compare("encoding", stated["encoding"], known),
        *compare("actions", stated["actions"], data["actions"]),
        *_check_settings(manifest, reading),
    ]


def _clause(error: GameError) -> str:
    return str(error).rstrip(".")


def _check_settings(manifest: Manifest, reading: Reading) -> Iterator[Finding]:
    """Check the settings: they follow from the board's size, or from a recorded --encoding file."""
    boards = {tuple(s.encodings[0].board): dict(s.settings) for s in reading.game.shapes}
    derived, stated = boards.get(reading.encoding.board), dict(manifest.settings or {})
    if manifest.settings is None:
        yield refute_if_current("settings", f"is null, but the game is {reading.game.name}")
    if derived is None or stated in (derived, {}):
        return
    if has_option(manifest, "--encoding"):
        yield doubt("settings", f"is {shorten_value(stated)}, a choice of the exporter's (--encoding)")
    else:
        yield refute("settings", differ(stated, derived, "which the shapes determine"))


def check_inputs(manifest: Manifest) -> Iterator[Finding]:
    """Check each input's layout, as far as its number of axes determines it."""
    for number, spec in enumerate(manifest.inputs):
        by_rank = {1: ("flat",), 2: ("board",)}.get(len(spec.shape), ("channels_first", "channels_last"))
        if spec.layout not in by_rank:
            needs = f"a shape of {list(spec.shape)} is {' or '.join(by_rank)}"
            yield refute(f"inputs[{number}].layout", f"is {shorten_value(spec.layout)}, and {needs}")


def check_positions(manifest: Manifest) -> Iterator[Finding]:
    """Check that the source, number, seed and description of the proof's positions fit together."""
    said = manifest.positions
    source, count, seed = said.source, said.count, said.seed
    game = manifest.game
    if not count:
        yield refute("positions.count", "is 0: nothing was proved")
    if (seed is None) != (source == FROM_FILE):
        yield refute("positions.seed", f"is {shorten_value(seed)}, and the positions are of {shorten_value(source)}")
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
        yield refute_if_current(member, f"is {ours}, but count, seed and source give {shorten_value(begin)}")
    looked = said.looked_through
    if looked > POOL * count:
        says = f"is {looked:,}, and at most {POOL * count:,} are, for {count:,} positions"
        yield refute("positions.looked_through", says)
    if 0 < count < GOLDEN_POSITIONS:
        yield doubt("positions.count", f"is {count:,}: so few positions prove little, say more with --positions")


def check_drawn(manifest: Manifest, evidence: Evidence) -> Iterator[Finding]:
    """Compare the statements about the positions with the positions drawn again."""
    boards = evidence.checkpoint.drawn if evidence.checkpoint else None
    if boards is not None:
        again = {name: getattr(boards, name) for name in ("extreme", "looked_through", "description")}
        yield from diff(manifest, replace(manifest, positions=replace(manifest.positions, **again)), "as drawn again")


def positions_asked_for(manifest: Manifest) -> int:
    """The number of positions asked for, if the description says that fewer exist; else their number."""
    remark = _ASKED.search(manifest.positions.description)
    count = manifest.positions.count
    return max(count, int(remark[1].replace(",", ""))) if remark else count


def list_open(manifest: Manifest, evidence: Evidence) -> Iterator[Finding]:
    """List the claims that the evidence cannot prove."""
    if not evidence.checkpoint and not evidence.golden:
        return
    yield doubt("converters", "are versions on the exporter's machine, which no file states")
    if evidence.checkpoint:
        return
    for member in CHECKPOINT_ALONE:
        yield doubt(member, "can be known only from the checkpoint")
    if evidence.reading is not None:
        fits = "fits the game and the golden positions, but whether the network reads it so is unknown"
        yield doubt("encoding", fits)
    yield doubt("outputs", f"may come from no network: {FORGED}", GOLDEN)


def draw_again(manifest: Manifest, reading: Reading | None) -> Positions | None:
    """The first of the manifest's positions, drawn again; None without a known game."""
    said = manifest.positions
    if reading is None or said.source != FROM_GAME:
        return None
    count = max(1, min(said.count, GOLDEN_POSITIONS))
    return positions(reading, manifest.input_shapes, count, said.seed or 0)
