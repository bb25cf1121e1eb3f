"""The players of a match's games: processes of this machine, or the workers of a cluster.

A task is one block of a match, and a block's games are always played together. So a match on a cluster plays the same
games as a local one. A network goes to each worker once at most, by its content.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from ..bundle.contents.manifest import MANIFEST
from ..errors import GameError
from ..export.checkpoint.architecture import architecture_beside
from ..export.checkpoint.foreign.beside import files_beside
from ..export.checkpoint.located import file_and_config
from ..export.checkpoint.run_folder import files_of_run
from ..games.state import State
from ..match.games import Block, GameRecord, Rules
from ..match.log import is_a_game, record_from
from ..match.players import Facts, LocalPlayers, Net, Players
from ..play.network_files import Artifact, find_network
from .answers import open_answer, received, unusable
from .backends import LOCAL
from .cluster import Call, Cluster, ClusterError, HeldContent, connect
from .parcel import BadParcel, files_in, pack
from .remote_play import Request, SentNet, ask, facts_from
from .versions import versions

Tag = TypeVar("Tag")


@contextmanager
def players(backend: str, scheduler: str | None, count: int | None) -> Iterator[Players]:
    """The players of a backend (`backends.BACKENDS`): `count` processes here, None for one per core."""
    if backend not in LOCAL:
        with connect(backend, scheduler) as cluster:
            yield ClusterPlayers(cluster)
        return
    from loky import cpu_count

    with LocalPlayers(count or int(cpu_count())) as workers:
        yield workers


class ClusterPlayers:
    """The workers of a cluster, with the networks of one match at a time."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._sent: dict[Net, tuple[SentNet, list[HeldContent]]] = {}

    def describe(self, nets: Sequence[Net]) -> list[Facts]:
        """The facts about each network, from any free worker; raises the first error of one that cannot be opened."""
        calls = [self._call(number, {number: net}) for number, net in enumerate(nets)]
        answers = dict(self._answers(calls, len(nets)))
        try:
            return [facts_from(answers[number][0]) for number in range(len(nets))]
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise unusable(f"{type(error).__name__} in the facts about a network") from error

    def play(self, nets: Sequence[Net], start: State, rules: Rules, to_play: Sequence[Block]) -> Iterator[GameRecord]:
        """The games of each block when all of them have ended."""
        calls = (self._call(block, {n: nets[n] for n in block.nets}, (start, rules, block)) for block in to_play)
        for block, games in self._answers(calls, len(nets)):
            yield from _games(block, games, start)

    def _call(self, tag: Tag, nets: dict[int, Net], game: tuple[State, Rules, Block] | None = None) -> Call[Tag]:
        sent = {number: self._hold(net) for number, net in nets.items()}
        contents = {each.sha256: each for _, held in sent.values() for each in held}
        request = Request(self._cluster.client, versions(), {number: net for number, (net, _) in sent.items()}, game)
        return Call(tag, ask, (request, *contents.values()))

    def _hold(self, net: Net) -> tuple[SentNet, list[HeldContent]]:
        """The network in its sent form, read once; its contents are held as long as this object exists."""
        if net not in self._sent:
            if net.like.builder is not None:
                raise ClusterError(
                    "--builder runs code of this machine, which a cluster's workers do not have: leave --backend out."
                )
            files, held = {}, []
            for option, (name, content) in _contents(net).items():
                held.append(self._cluster.hold(content))
                files[option] = name, held[-1].sha256
            self._sent[net] = SentNet(net, files), held
        return self._sent[net]

    def _answers(self, calls: Iterable[Call[Tag]], count: int) -> Iterator[tuple[Tag, Any]]:
        """The workers' facts about `count` networks."""
        # Closed now, not on garbage collection, so that the remaining calls are cancelled on the cluster.
        with closing(self._cluster.results(calls)) as results:
            for tag, answer in results:
                yield tag, _unpack_answer(received(answer), count)


def _contents(net: Net) -> dict[str, tuple[str, bytes]]:
    """For each option that is a file: its name in its parcel, and the parcel."""
    file = find_network(net.net)
    path = file.path
    if isinstance(file, Artifact):
        files = files_in(path, f"{path.name}/") if path.is_dir() else {path.name: path}
        if file.manifest is not None:
            # The bundle's statements about the network are read from beside it; its other files are ignored.
            files |= {MANIFEST: path.absolute().parent / MANIFEST}
    elif path.is_dir():
        weights, config = file_and_config(path, net.like.config)
        inside = [weights, config, *files_beside(weights)] if weights != path else list(files_in(path).values())
        files = {f"{path.name}/{Path(each).relative_to(path).as_posix()}": Path(each) for each in inside if each}
    else:
        beside = architecture_beside(path) if net.like.config is None else None
        files = {each.name: each for each in (path, beside, *files_of_run(path)) if each is not None}
        files |= {each.relative_to(path.parent).as_posix(): each for each in files_beside(path)}
    contents = {"net": (path.name, pack({}, files))}
    for option, option_file in (("encoding", net.encoding), ("config", net.like.config)):
        if option_file is not None and Path(option_file).is_file():  # an encoding's name is no file
            contents[option] = Path(option_file).name, pack({}, {Path(option_file).name: Path(option_file)})
    return contents


def _unpack_answer(answer: bytes, count: int) -> Any:
    """A worker's answer; raises the error in it, or ClusterError if it is no answer."""
    try:
        return open_answer(answer, count).head["told"]
    except (BadParcel, KeyError, TypeError, ValueError) as error:
        raise unusable(str(error)) from error


def _games(block: Block, answer: Any, start: State) -> list[GameRecord]:
    """The games of a block, each legal to its end; ClusterError if they are not the block's."""
    try:
        games = [record_from(data) for data in answer]
        lines = dict(block.openings)
        sound = all(
            game.moves[: len(lines[game.opening])] == lines[game.opening] and is_a_game(game, start) for game in games
        )
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError, GameError) as error:
        raise unusable(f"{type(error).__name__} in its games") from error
    if not sound or sorted(game.key for game in games) != sorted(block.keys):
        raise unusable("its games are not the block's")
    return games
