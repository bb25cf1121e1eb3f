"""Whether an app can play a bundle: the reasons why not, in the words that install, serve and the apps share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from ..errors import GameError
from ..export.checkpoint.head import POLICY, VALUE
from ..games import recognition

NO_GAME = "it has no known game"
INPUTS = "its network has {count} inputs, and the apps play those with one"
UNKNOWN_GAME = "its game, '{game}', is none that the apps know"
NO_ENCODING = "what its network reads is not described"
UNREADABLE = "what its network reads is not described so that it can be drawn ({reason})"
SIZE = "its encoding makes {made} numbers and its network reads {read}"
NO_HEADS = "it has neither a policy nor a value"
BATCH = "its artifacts take {batch} positions at a time, and the apps give them one"


def why_not(manifest: Mapping[str, Any]) -> list[str]:
    """Each reason why an app cannot play the bundle of this manifest, a clause each; empty where it can.

    A bundle that cannot be played can still be installed: its self-test runs.
    """
    reasons = []
    inputs = manifest["inputs"]
    roles = {head["role"]: head for head in manifest["outputs"]}
    batch = manifest.get("batch")
    if len(inputs) != 1:
        reasons.append(INPUTS.format(count=len(inputs)))
    if not {POLICY, VALUE} & roles.keys():
        reasons.append(NO_HEADS)
    if batch not in (None, 1):
        reasons.append(BATCH.format(batch=batch))
    game = _game_problem(manifest, inputs, roles)
    return [*([game] if game else []), *reasons]


def _game_problem(manifest: Mapping[str, Any], inputs: Any, roles: Mapping[str, Any]) -> str | None:
    """Why the game cannot be played as the manifest describes it; None where it can."""
    from ..games.catalogue import GAMES

    game = manifest.get("game")
    if not game:
        return NO_GAME
    if game not in GAMES:
        return UNKNOWN_GAME.format(game=game)
    if not manifest.get("encoding"):
        return NO_ENCODING
    policy = roles.get(POLICY)
    try:
        reading = recognition.from_manifest(manifest, prod(policy["shape"]) if policy else None)
    except GameError as error:
        return UNREADABLE.format(reason=str(error).rstrip("."))
    made, read = prod(reading.encoding.shape), prod(inputs[0]["shape"])
    return SIZE.format(made=made, read=read) if len(inputs) == 1 and made != read else None


def told(reasons: Sequence[str]) -> str:
    """The reasons, and what works all the same: "it has no known game; its self-test runs"."""
    return f"{' and '.join(reasons)}; its self-test runs"
