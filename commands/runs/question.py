"""What a match is to find out where it is not a round robin: whether a network passes a gate, or which is the best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from .. import output

if TYPE_CHECKING:
    from ...play.match import Block, GameRecord
    from ...play.rating.elo import Interval
    from ...play.rating.gate import Gate
    from ...play.schedule import Records


class Question:
    """Asked of a match of so many networks; a round robin where neither is. UsageError where the two clash."""

    def __init__(self, gate: Gate | None, best: bool, networks: int) -> None:
        if gate is not None and (networks != 2 or best):
            raise click.UsageError("--gate is for a match of two networks, the new one first.")
        self.gate, self.best, self._networks = gate, best, networks

    def schedule(self, blocks: Sequence[Block], records: Records) -> Iterator[Sequence[Block]]:
        """Which blocks are played."""
        from ...play.schedule import all_blocks, until_best, until_gate

        if self.gate is not None:
            return until_gate(blocks, self.gate, records)
        return until_best(blocks, self._networks, records) if self.best else all_blocks(blocks, records)

    def asked_of(self, records: Sequence[GameRecord]) -> list[GameRecord]:
        """The games that count: not those that were played beside the ones by which the gate said something."""
        from ...play.schedule import gate_result

        if self.gate is None:
            return list(records)
        pairs = gate_result({record.key: record for record in records}, self.gate).pairs
        return [record for record in records if record.opening < pairs]

    def ratings(self, records: Sequence[GameRecord]) -> list[Interval] | None:
        """The networks' ratings where not all of them met: None where they did."""
        from ...play.rating.league import League
        from ...play.rating.strength import intervals, strength

        if not self.best:
            return None
        league = League.of(records, self._networks)
        return intervals(league, strength(league))

    def answer(self, names: Sequence[str], records: Sequence[GameRecord]) -> Mapping[str, Any]:
        """What was found, as data; empty for a round robin."""
        if self.gate is not None:
            return {"gate": _of_gate(self.gate, records)}
        return {"best": _of_best(names, records)} if self.best else {}

    def print_answer(self, names: Sequence[str], records: Sequence[GameRecord]) -> None:
        """The same as a sentence."""
        for name, told in self.answer(names, records).items():
            output.line(_gate_line(names[0], told) if name == "gate" else _best_line(told))


def _of_gate(gate: Gate, records: Sequence[GameRecord]) -> dict[str, Any]:
    from ...play.schedule import gate_result

    found = gate_result({record.key: record for record in records}, gate)
    low, high = gate.bounds
    return {
        "elo0": gate.elo0,
        "elo1": gate.elo1,
        "passed": found.passed,
        "pairs": found.pairs,
        "log_likelihood_ratio": found.ratio,
        "bounds": [low, high],
    }


def _of_best(names: Sequence[str], records: Sequence[GameRecord]) -> dict[str, Any]:
    from ...play.rating.league import League
    from ...play.rating.strength import strength
    from ...play.schedule import is_found

    league = League.of(records, len(names))
    told = strength(league)
    return {
        "net": names[told.leader],
        "found": is_found(league, told),
        "doubt": told.doubt,
        "superiority": dict(zip(names, told.superiority[told.leader].tolist(), strict=True)),
        "pairs": int(league.played.sum() // 2),
    }


def _gate_line(name: str, told: Mapping[str, Any]) -> str:
    from ...play.rating.gate import in_words

    low, high = told["bounds"]
    verdict = in_words(told["passed"], told["elo0"], told["elo1"])
    more = "" if told["passed"] is not None else ": give more --games, and the same command goes on"
    return (
        f"Gate: {name} {verdict}, after {told['pairs']} pairs of games "
        f"(log-likelihood ratio {told['log_likelihood_ratio']:.2f}, bounds {low:.2f} and {high:.2f}){more}"
    )


def _best_line(told: Mapping[str, Any]) -> str:
    if not told["found"]:
        return f"Best: not known yet, {told['net']} leads; another one is better with up to {told['doubt']:.0%}"
    doubt = f"another one is better with at most {told['doubt']:.1%}"
    return f"Best: {told['net']}, after {told['pairs']} pairs of games; {doubt}"
