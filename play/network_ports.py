"""Finds which outputs of an open network are the value and the policy, and which game it reads."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..bundle.case.reading import check_value_order, described_reading, reading_of_run, shipped_by_hash
from ..bundle.contents.manifest import heads_in
from ..errors import GameError, Undecided
from ..export.checkpoint.head import POLICY, UNKNOWN, VALUE, Head
from ..export.checkpoint.layer_graph import Source
from ..export.formats.table import Format
from ..export.graph.frozen import Port
from ..export.graph.heads import recognise
from ..export.graph.names import Names
from ..games.game import Reading
from ..games.known import recognition
from ..games.known.hypotheses import BOARD_AND_BESIDE
from ..manifest import Manifest
from ..validate.runners.runner import Signature

# The user names no heads.
UNSAID = Names()


@dataclass(frozen=True)
class Ports:
    """A network's inputs and outputs; `game` is the game that the artifact itself names, None without a name.

    `value_range` and `order` are the manifest's statements on the value, None without them. `reading` is the artifact's
    own statement on its encoding, as in a manifest; empty if its shapes determine the encoding. `source` and
    `multiply_adds`, those of one position, are None for an artifact.
    """

    inputs: tuple[Port, ...]
    value: Head | None
    policy: Head | None
    game: str | None = None
    value_range: str | None = None
    order: Sequence[str] | None = None
    reading: Mapping[str, Any] = field(default_factory=dict)
    source: Source | None = None
    multiply_adds: int | None = None

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """The inputs' shapes without the batch; a free axis counts as one."""
        return [_sizes(port.shape[1:]) for port in self.inputs]

    @property
    def by_name(self) -> dict[str, tuple[int, ...]]:
        """The shapes by the inputs' names, in their order."""
        return {port.name: shape for port, shape in zip(self.inputs, self.shapes, strict=True)}

    @property
    def policy_width(self) -> int | None:
        """The number of the policy's outputs, None without a policy."""
        return self.policy.width if self.policy else None


def ports_of_heads(source: Source, inputs: tuple[Port, ...], heads: Sequence[Head], multiply_adds: int) -> Ports:
    """The ports of a checkpoint whose heads are recognised and whose cost is counted."""
    roles = {head.role: head for head in heads}
    return Ports(inputs, roles.get(VALUE), roles.get(POLICY), source=source, multiply_adds=multiply_adds)


def ports_of_artifact(
    path: Path, entry: Format, manifest: Manifest | None, signature: Signature, names: Names = UNSAID
) -> Ports:
    """The ports of an artifact. Roles come from its manifest, its metadata, `names`, or its names and shapes.

    HeadError (a CheckpointError) if an output could be value or policy. GameError if the user names heads of an
    artifact that states its roles itself.
    """
    if not signature.outputs or not signature.inputs:
        raise GameError(f"'{path}' states no input and output of its own: export its checkpoint with azx.")
    heads = [Head(port.name, _sizes(port.shape[1:]), name=port.name) for port in signature.outputs]
    metadata: Mapping[str, str] = {}
    if manifest is not None:
        stated = next((head.as_data() for head in manifest.outputs if head.role == VALUE), {})
        roles = {head.name: head.role for head in manifest.outputs}
        activations = {head.name: head.activation for head in manifest.outputs}
    else:
        metadata = entry.metadata(path)
        roles, activations = _json_object(metadata, "output_roles"), _json_object(metadata, "output_activations")
        stated = _json_object(metadata, "value")
    if roles and names != UNSAID:
        raise GameError(f"'{path}' states itself which output is which: leave --value-head and --policy-head out.")
    if not roles:
        # Another program wrote this artifact: a lone output may be a value whatever activation it ends with.
        bare = [replace(head, activation="linear") for head in heads]
        boards = [_sizes(port.shape[1:]) for port in signature.inputs]
        roles_of_heads = recognise(
            bare, f"'{path}'", boards, value_head=names.value_head, policy_head=names.policy_head
        )
        roles = {head.source_name: head.role for head in roles_of_heads}
    known = {head.name: replace(head, activation=activations.get(head.name, UNKNOWN)) for head in heads}
    if manifest is not None:
        ranges = {head.name: head.policy_range for head in heads_in(manifest)}
        known = {name: replace(head, stated_range=ranges.get(name)) for name, head in known.items()}
    by_role = {role: known[name] for name, role in roles.items()}
    game = metadata.get("game", UNKNOWN)
    named = None if game == UNKNOWN else game
    value, policy = by_role.get(VALUE), by_role.get(POLICY)
    reading = _json_object(metadata, "reading")
    reading = reading if named and reading.get("game") == named else {}
    # Runtimes list inputs in an order of their own.
    order = [port.name for port in manifest.inputs] if manifest else list(_json_object(metadata, "input_layout"))
    inputs = tuple(sorted(signature.inputs, key=lambda port: order.index(port.name) if port.name in order else 0))
    return Ports(inputs, value, policy, named, stated.get("value_range"), stated.get("order"), reading)


def _json_object(metadata: Mapping[str, str], key: str) -> dict[str, Any]:
    """The JSON object under `key`, {} if it is missing."""
    try:
        value = json.loads(metadata.get(key, "{}"))
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def reading_of(
    path: Path,
    manifest: Manifest | None,
    ports: Ports,
    game: str | None,
    encoding: Path | None,
    settle: Callable[[Reading], Reading],
) -> Reading:
    """The game as the network reads it: by the user's options, by its manifest, by its run, or by its shapes.

    If neither a file nor a manifest decides, `settle` chooses among the readings that are known for these shapes.
    GameError if the network does not fit, or the game stays unknown.
    """
    if len(ports.inputs) > BOARD_AND_BESIDE:
        shapes = " and ".join(map(str, ports.shapes))
        raise GameError(
            f"'{path}' has {len(ports.inputs)} inputs, {shapes}: azx plays networks that read a board, and perhaps "
            "beside it who is to move, and neither --game nor --encoding can describe more."
        )
    if ports.value is None and ports.policy is None:
        raise GameError(
            f"'{path}': nothing says which of its outputs is the value or the policy: name one with --policy-head or "
            "--value-head, of a bundle when it is exported."
        )
    try:
        reading = _of_run(path, manifest, ports, game, encoding)
        if reading is None:
            reading = _read(manifest.reading if manifest else ports.reading, ports, game, encoding, settle)
    except Undecided as error:
        raise GameError(f"'{path}': {error}.") from error
    except GameError as error:
        raise GameError(f"'{path}': {error}") from error
    if reading is None and ports.source is not None:
        shipped = shipped_by_hash(ports.source.sha256, ports.shapes, ports.policy_width)
        reading = settle(shipped) if shipped else None
    if reading is None:
        fits = recognition.name_fits(ports.shapes, ports.policy_width)
        if fits:
            raise GameError(f"'{path}': {fits}, or describe its input with --encoding FILE.json.")
        # A network without a policy fits any game with its board. One with a policy fits none, or was recognised above.
        named = "describe its input" if ports.policy_width else "say which it plays with --game, or describe its input"
        shapes = " and ".join(map(str, ports.shapes))
        raise GameError(
            f"'{path}': no game that azx knows has an input of shape {shapes} and "
            f"{ports.policy_width or 'no'} policy outputs: {named} with --encoding FILE.json."
        )
    return reading


def _of_run(
    path: Path, manifest: Manifest | None, ports: Ports, game: str | None, encoding: Path | None
) -> Reading | None:
    """The reading of a checkpoint in a run's folder, if neither the user nor the file gives one."""
    if manifest is not None or ports.game is not None or encoding is not None:
        return None
    return reading_of_run(path, ports.source, ports.shapes, ports.policy_width, ports.value, game)


def _read(
    stated: Mapping[str, Any],
    ports: Ports,
    game: str | None,
    encoding: Path | None,
    settle: Callable[[Reading], Reading],
) -> Reading | None:
    if encoding is not None:
        reading = described_reading(encoding, ports.shapes, ports.policy_width)
        check_value_order(reading, ports.value, encoding)
        if game is not None and recognition.by_name(game).name != reading.game.name:
            raise GameError(f"--encoding describes {reading.game.name} and --game says {game}: leave --game out.")
        return reading
    if stated.get("encoding") and game in (None, stated.get("game")):
        reading = recognition.reading_from(stated, ports.policy_width)
        if not recognition.makes_inputs(reading.encoding, ports.shapes):
            made, taken = (" and ".join(map(str, each)) for each in (reading.encoding.input_shapes, ports.shapes))
            raise GameError(
                f"its manifest describes an input of shape {made}, but it takes {taken}: export the checkpoint again."
            )
        return reading
    if ports.game is not None and game in (None, ports.game):
        # An artifact of azx states its reading whenever that is not the usual one.
        return recognition.read_as(recognition.by_name(ports.game), ports.shapes, ports.policy_width)
    if game is not None:
        return settle(recognition.read_as(recognition.by_name(game), ports.shapes, ports.policy_width))
    recognised = recognition.recognise(ports.shapes, ports.policy_width)
    return settle(recognised) if recognised else None


def _sizes(shape: Sequence[int | None]) -> tuple[int, ...]:
    return tuple(size or 1 for size in shape)
