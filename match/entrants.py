"""The networks of a tournament that can be opened, each identified by its file and its encoding."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..errors import AzxError
from ..games.game import Game, Value
from ..games.known.recognition import by_name
from .log import digest_of
from .players import Net, Players
from .runner import digest


@dataclass(frozen=True)
class Entrant:
    """A network that was opened; `identity` is the same for the same bytes read in the same way, whatever its name."""

    net: Net
    name: str
    runtime: str
    game: Game
    settings: Mapping[str, Value]
    identity: str


def enter(nets: Sequence[Net], workers: Players) -> list[Entrant | str]:
    """Each network as an entrant, or the sentence that says why it is none: one that fails keeps out no other."""
    return [_enter(net, workers) for net in nets]


def _enter(net: Net, workers: Players) -> Entrant | str:
    try:
        (fact,) = workers.describe([net])
        game = by_name(fact.game)
        settings = {setting.name: setting.default for setting in game.settings} | dict(fact.settings)
        identity = digest_of([digest(net.net), fact.reading])[:32]
    except (AzxError, OSError) as error:
        return str(error)
    return Entrant(net, fact.name, fact.runtime, game, settings, identity)


def by_game(entrants: Sequence[Entrant]) -> list[list[Entrant]]:
    """Those of one game and board together, in their order; of several with one identity the first alone."""
    groups: dict[str, dict[str, Entrant]] = {}
    for entrant in entrants:
        key = json.dumps([entrant.game.name, entrant.settings], sort_keys=True)
        groups.setdefault(key, {}).setdefault(entrant.identity, entrant)
    return [list(group.values()) for group in groups.values()]
