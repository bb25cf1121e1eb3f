"""Chooses the blocks of a match, and its end: after all blocks, or as soon as a question is answered.

A schedule yields blocks that may be played side by side, and looks at their games before it yields the next ones. Its
blocks depend only on the games, not on who played them: a stopped match continues in the same way.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..games.state import State
from .games import Block, GameRecord, Key, Rules
from .players import Net, Players
from .rating.league import League
from .rating.league_ratings import LeagueRatings, rate_league
from .rating.next_pair import next_pair
from .rating.sprt import Sprt

# Blocks played side by side: enough for a few processes, few enough that recent games decide which come next.
WAVE = 4
# A network counts as the best once the likelihood that another one is better falls to this.
DOUBT = 0.05

Records = Mapping[Key, GameRecord]


def play_waves(
    waves: Iterable[Sequence[Block]],
    nets: Sequence[Net],
    start: State,
    rules: Rules,
    records: dict[Key, GameRecord],
    players: Players,
) -> Iterator[GameRecord]:
    """Play the games of each wave that `records` lacks; each goes into `records` for the next wave, and is yielded."""
    for wave in waves:
        to_play = [block for block in wave if not records.keys() >= set(block.keys)]
        for record in players.play(nets, start, rules, to_play):
            if record.key not in records:
                records[record.key] = record
                yield record


@dataclass(frozen=True)
class SprtResult:
    """Whether the first network passed (None if undecided), with the number of pairs and the likelihood ratio."""

    sprt: Sprt
    passed: bool | None
    pairs: int
    ratio: float


def all_blocks(blocks: Sequence[Block], records: Records) -> Iterator[Sequence[Block]]:
    """Every block at once: a round robin."""
    yield blocks


def until_settled(blocks: Sequence[Block], sprt: Sprt, records: Records) -> Iterator[Sequence[Block]]:
    """The blocks of two networks in the order of their openings, until the test decides."""
    for at in range(0, len(blocks), WAVE):
        yield blocks[at : at + WAVE]
        if sprt_result(records, sprt).passed is not None:
            return


def sprt_result(records: Records, sprt: Sprt) -> SprtResult:
    """The test's result for the games of two networks, taken pair by pair in the order of their openings."""
    counts, numbers = [0] * 5, sorted({opening for opening, _, _ in records})
    for pairs, number in enumerate(numbers):
        both = records.get((number, 0, 1)), records.get((number, 1, 0))
        if both[0] is None or both[1] is None:
            break
        counts[round(2 * (both[0].score(0) + both[1].score(0)))] += 1
        verdict = sprt.verdict(counts)
        if verdict is not None:
            return SprtResult(sprt, verdict, pairs + 1, sprt.log_likelihood_ratio(counts))
    return SprtResult(sprt, None, sum(counts), sprt.log_likelihood_ratio(counts) if sum(counts) else 0.0)


def until_best(
    blocks: Sequence[Block],
    networks: int,
    records: Records,
    known: Collection[Block] = (),
    settled: Collection[int] = (),
) -> Iterator[Sequence[Block]]:
    """Blocks of the most informative pairings, until the best network is known or no block is left.

    The games of `known` blocks count from the start. Two `settled` networks do not play each other again, because an
    earlier tournament found the better one. The remaining question is how strong the newer networks are.
    """
    league, counted = League.empty(networks), set(known)
    waiting: dict[tuple[int, int], list[Block]] = {}
    for block in reversed(blocks):
        if block not in counted and not set(block.nets) <= set(settled):
            waiting.setdefault(block.nets, []).append(block)
    _count(league, known, records)
    while not is_found(league, rate_league(league), settled):
        wave = _wave(league, waiting)
        if not wave:
            return
        yield wave
        _count(league, wave, records)


def _count(league: League, played: Collection[Block], records: Records) -> None:
    for block in played:
        one, other = block.nets
        for number, _ in block.openings:
            score = records[number, one, other].score(one) + records[number, other, one].score(one)
            league.add(one, other, score / 2)


def is_found(league: League, rated: LeagueRatings, settled: Collection[int] = ()) -> bool:
    """Whether the best network is known. All must have games; between `settled` networks there is no doubt."""
    rivals = [net for net in range(league.networks) if net != rated.leader and not {net, rated.leader} <= set(settled)]
    doubt = float((1 - rated.superiority[rated.leader, rivals]).sum())
    return bool(league.pair_counts.sum(axis=1).min() > 0 and doubt <= DOUBT)


def _wave(league: League, waiting: dict[tuple[int, int], list[Block]]) -> list[Block]:
    """The next blocks. Each is chosen under the assumption that the earlier ones end as expected."""
    expected, wave = League(league.pairs.copy()), list[Block]()
    while len(wave) < WAVE and any(waiting.values()):
        rated = rate_league(expected)
        left = np.zeros((league.networks,) * 2, bool)
        for pair, blocks in waiting.items():
            left[pair] = left[pair[::-1]] = bool(blocks)
        one, other = sorted(next_pair(expected, rated, left))
        block = waiting[one, other].pop()
        wave.append(block)
        share = 1 / (1 + np.exp(rated.ratings[other] - rated.ratings[one]))
        for _ in block.openings:
            expected.add(one, other, round(4 * share) / 4)
    return wave
