"""Which outputs of an open network are the value and the policy, and which game it reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path

from ..errors import GameError
from ..export.graph import heads as head_rules
from ..export.graph.frozen import FrozenGraph
from ..games import recognition
from ..games.game import Recognised
from ..validate.runners.runner import Signature
from .network_files import NetworkFile
from .network_metadata import listed, read_metadata

UNKNOWN = "unknown"


@dataclass(frozen=True)
class Output:
    """An output by its role; `activation` is "unknown" where nothing tells it."""

    name: str
    width: int
    activation: str


@dataclass(frozen=True)
class Ports:
    """What is fed and what is read: `inputs` are names with shapes without the batch."""

    inputs: tuple[tuple[str, tuple[int, ...]], ...]
    value: Output | None
    policy: Output | None
    game: str | None = None

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """The inputs' shapes without the batch."""
        return [shape for _, shape in self.inputs]

    @property
    def policy_width(self) -> int | None:
        """How many outputs the policy has, None without one."""
        return self.policy.width if self.policy else None


def ports_of_graph(frozen: FrozenGraph) -> Ports:
    """The ports of a checkpoint's graph."""
    roles = {head.role: Output(head.name, _width(head.shape[1:]), head.activation) for head in frozen.outputs}
    inputs = tuple((spec.name, _sizes(spec.shape[1:])) for spec in frozen.inputs)
    return Ports(inputs, roles.get("value"), roles.get("policy"))


def ports_of_artifact(file: NetworkFile, signature: Signature) -> Ports:
    """The ports of an artifact: roles from its manifest, else from its metadata, else from names and shapes.

    HeadError (a CheckpointError) where an output cannot be told to be value or policy.
    """
    roles, activations, game = _stated(file)
    if not signature.outputs or not signature.inputs:
        raise GameError(f"'{file.path}' states no input and output of its own: export its checkpoint with azx.")
    widths = {port.name: _width(port.shape[1:]) for port in signature.outputs}
    if not roles:
        bare = [head_rules.Head(name, (width,), "linear") for name, width in widths.items()]
        roles = {head.source_name: head.role for head in head_rules.recognise(bare, f"'{file.path}'")}
    made = {role: Output(name, widths[name], activations.get(name, UNKNOWN)) for name, role in roles.items()}
    inputs = tuple((port.name, _sizes(port.shape[1:])) for port in signature.inputs)
    return Ports(inputs, made.get("value"), made.get("policy"), game)


def _stated(file: NetworkFile) -> tuple[Mapping[str, str], Mapping[str, str], str | None]:
    """Role and activation of each output by its name, and the game's name."""
    if file.manifest is not None:
        outputs = file.manifest["outputs"]
        roles = {head["name"]: head["role"] for head in outputs}
        return roles, {head["name"]: head["activation"] for head in outputs}, None
    metadata = read_metadata(file.path, str(file.format))
    game = metadata.get("game", UNKNOWN)
    known = None if game == UNKNOWN else game
    return listed(metadata, "output_roles"), listed(metadata, "output_activations"), known


def reading_of(file: NetworkFile, ports: Ports, game: str | None, encoding: Path | None) -> Recognised:
    """The game as the network reads it: as the user says, as its manifest says, or as its shapes tell.

    GameError where the network does not fit, or nothing tells the game.
    """
    if len(ports.inputs) != 1:
        shapes = " and ".join(map(str, ports.shapes))
        raise GameError(
            f"'{file.path}' has {len(ports.inputs)} inputs, {shapes}: azx plays networks that read one board, "
            "and neither --game nor --encoding can describe more."
        )
    try:
        reading = _read(file, ports, game, encoding)
    except GameError as error:
        raise GameError(f"'{file.path}': {error}") from error
    if reading is None:
        raise GameError(
            f"'{file.path}': no game that azx knows has an input of shape {ports.shapes[0]} and "
            f"{ports.policy_width or 'no'} policy outputs: say which it plays with --game, "
            "or describe its input with --encoding FILE.json."
        )
    return reading


def _read(file: NetworkFile, ports: Ports, game: str | None, encoding: Path | None) -> Recognised | None:
    if encoding is not None:
        return _agreed(recognition.from_file(encoding, ports.shapes, ports.policy_width), game)
    stated = file.manifest or {}
    if stated.get("encoding") and game in (None, stated.get("game")):
        reading = recognition.from_manifest(stated, ports.policy_width)
        _fits(reading, ports.shapes[0])
        return reading
    name = game or ports.game
    if name is not None:
        return recognition.read_as(recognition.by_name(name), ports.shapes, ports.policy_width)
    return recognition.recognise(ports.shapes, ports.policy_width)


def _agreed(reading: Recognised, game: str | None) -> Recognised:
    if game is not None and recognition.by_name(game).name != reading.game.name:
        raise GameError(f"--encoding describes {reading.game.name} and --game says {game}: leave --game away.")
    return reading


def _fits(reading: Recognised, shape: tuple[int, ...]) -> None:
    if reading.encoding.shape != shape:
        raise GameError(
            f"its manifest describes an input of shape {reading.encoding.shape}, but it takes {shape}: "
            "export the checkpoint again."
        )


def _sizes(shape: Sequence[int | None]) -> tuple[int, ...]:
    return tuple(size or 1 for size in shape)


def _width(shape: Sequence[int | None]) -> int:
    return prod(_sizes(shape))
