"""Detects a network's encoding by showing it positions, in every reading that its shapes allow.

Of Go it is the order of the planes (`frontiers.py`). Of Connect4, tic-tac-toe, Gomoku and Reversi positions are shown
of which the rules alone say what is right (`positions.py`): a network that reads the board as it is finds the moves and
values won positions above lost ones (`behaviour.py`). `decision.py` has the rules by which a reading is said as a fact.
Where they settle nothing the usual reading is assumed, and said to be, unless it is clearly worse than others: then
none is.

The first look is short and drops the readings that clearly lose. The last one shows all positions to those that remain.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ...errors import Undecided
from ...export.checkpoint.head import POLICY, VALUE
from ...games.encoding import MIXED, PLAYER0, PLAYERS, UNKNOWN, Encoding
from ...games.game import Convention, Reading
from ...games.known.hypotheses import Hypothesis, hypotheses_of
from ...games.known.recognition import STACKED, ways
from ...games.value import ORDER
from .behaviour import VALUED, Asked, Seen, TooManyBoardsError
from .budget import ANY
from .decision import Decision, Standing, decide
from .frontiers import by_frontiers
from .positions import DRAWN, TACTICAL, Sample, Shown, probe_positions
from .sign_test import Network

# Positions of each kind at each look; the last one takes all.
LOOKS = (6, 12, 20, 40, 80, 120)
# After as many the last look is taken only if the network reads the board and several readings remain.
ENOUGH = 40
# Readings that a sentence names, and those that a bundle keeps beside one that is assumed.
MOST_NAMED, MOST_RIVALS = 4, 8
ONE_NUMBER: Mapping[str, int] = {POLICY: 1, VALUE: 1}


@dataclass(frozen=True)
class Probed:
    """The decision, of how many positions, and whether the network is too large to be shown all."""

    decision: Decision
    positions: int
    stopped: bool


def detect_encoding(
    reading: Reading,
    network: Network,
    widths: Mapping[str, int] = ONE_NUMBER,
    boards: int = ANY,
    *,
    assume: bool = True,
) -> Reading:
    """`reading` in the way that the network itself reads the board, with a note on how it was told.

    `widths` are the outputs that the network can be asked for, by role: how many numbers a value has. With a single
    known way the reading is unchanged. At most `boards` are asked for (`budget.py`).
    Undecided, with the figures and what to type, if the answers settle nothing.
    `assume`: where the usual reading is among those that remain, or nothing shows at all, the network is read in it,
    and the note says that this is not known. Errors of `network` pass on.
    """
    if reading.game.frontiers is not None:
        return _by_frontiers(reading, network, widths)
    known = readings_like(reading)
    if len(known) < 2:
        return _with_order(reading, known, network, widths, boards)
    probed = probe(known, network, widths, boards)
    if probed is None:
        has_positions = probe_positions(known[0].reading.game, known[0].reading.settings)
        why = "it has no policy and no value to ask" if has_positions else "azx has no positions of its board"
        return without_detection(reading, why)
    decision = probed.decision
    if decision.found is not None and not _is_beside_open(decision):
        return replace(decision.found.reading, note=_sentence(_describe(probed)))
    if assume and decision.found is not None:
        found, rivals = decision.found.reading, _rivals(decision.found.reading, _remaining(known, decision))
        return replace(found, note=_assumed(known, probed), rivals=rivals, is_cut_short=probed.stopped)
    remains = not decision.reads or known[0] in [each.hypothesis for each in decision.standings]
    if assume and remains and reading.encoding in _catalogued(reading):
        whose = UNKNOWN if widths.get(VALUE) == len(ORDER) else reading.encoding.value
        usual = replace(reading, encoding=replace(reading.encoding, value=whose))
        rivals = _rivals(usual, _remaining(known, decision))
        return replace(usual, note=_assumed(known, probed), rivals=rivals, is_cut_short=probed.stopped)
    return without_detection(reading, _describe(probed), _remaining(known, decision))


def _is_beside_open(decision: Decision) -> bool:
    """Whether the network plays alike if its second input says the opposite: then that may be something else."""
    remaining = [each.hypothesis.reading.encoding for each in decision.standings]
    board = replace(remaining[0], beside=None)
    told = {PLAYER0 in one.beside.planes[0] for one in remaining if one.beside and replace(one, beside=None) == board}
    return len(told) > 1


def _catalogued(reading: Reading) -> Sequence[Encoding]:
    """The encodings by whose shapes alone networks of the game were always known."""
    return [encoding for shape in reading.game.shapes for encoding in shape.encodings if encoding.layout != "flat"] + [
        shape.encodings[0] for shape in reading.game.shapes
    ]


def _assumed(known: Sequence[Hypothesis], probed: Probed) -> str:
    """What is said where the usual reading remains among others, or nothing shows at all."""
    names = [each.hypothesis.name for each in probed.decision.standings]
    other = next((name for name in names if name != known[0].name), known[1].name)
    named = f"{known[0].name}, the usual one, is assumed; `--encoding {other}` and others choose (docs/readings.md)"
    return f"Not known, {_describe(probed)}: {named}"


def _rivals(usual: Reading, remaining: Sequence[Hypothesis]) -> dict[str, Reading]:
    """The best of the others that remain, by name, on the same board and with the value of the same player."""
    every = [one.with_value(usual.encoding.value) for one in remaining if one.reading.settings == usual.settings]
    others = [one for one in every if one.reading.as_data() != usual.as_data()]
    return {one.name: one.reading for one in others[:MOST_RIVALS]}


def _remaining(known: Sequence[Hypothesis], decision: Decision) -> list[Hypothesis]:
    """The readings that remain; and of a network that does read, those that differ from them in the colours alone."""
    left = [each.hypothesis for each in decision.standings]
    if not decision.reads:
        return left
    alike = {_but_for_colours(one) for one in left}
    return left + [one for one in known if one not in left and _but_for_colours(one) in alike]


def _but_for_colours(one: Hypothesis) -> tuple[object, ...]:
    """All of a reading but which player's pieces are which."""
    encoding = one.reading.encoding
    planes = tuple(plane.rpartition("_")[0] if plane in MIXED and "_" in plane else plane for plane in encoding.planes)
    pieces = tuple("pieces" if plane in PLAYERS else plane for plane in planes)
    return (encoding.layout, encoding.flip, encoding.transpose, *pieces)


def _with_order(
    reading: Reading, known: Sequence[Hypothesis], network: Network, widths: Mapping[str, int], boards: int
) -> Reading:
    """The only reading that is known, with the order of its value's three outputs; that value is unused if unknown."""
    if widths.get(VALUE) != len(ORDER):
        return reading
    probed = probe(known, network, widths, boards) if known else None
    found = probed.decision.found if probed else None
    return found.reading if found else replace(reading, encoding=replace(reading.encoding, value=UNKNOWN))


def readings_like(reading: Reading) -> tuple[Hypothesis, ...]:
    """Every reading of the same game, input and policy; empty if the catalogue does not have this one."""
    width = reading.numbering.width if reading.numbering else None
    every = hypotheses_of(reading.game, reading.encoding.input_shapes, width)
    layout = reading.encoding.layout
    return tuple(one for one in every if layout not in STACKED or one.reading.encoding.layout == layout)


def probe(known: Sequence[Hypothesis], network: Network, widths: Mapping[str, int], boards: int = ANY) -> Probed | None:
    """What the network's answers show of these readings of one game; None if there is nothing to ask or to show.

    `widths` as for `detect_encoding`; `boards` are the most that are asked for, after which the looks so far decide.
    """
    policy = POLICY in widths and known[0].reading.numbering is not None
    value = widths.get(VALUE) in (1, len(ORDER))
    shown = probe_positions(known[0].reading.game, known[0].reading.settings)
    roles = [role for role, has in ((POLICY, policy), (VALUE, value)) if has]
    if not roles or not shown:
        return None
    kinds = dict.fromkeys([*(TACTICAL if policy else ()), *(VALUED if value else ())])
    if value and widths[VALUE] == len(ORDER):
        kinds[DRAWN] = None
    every = {kind: [each for each in shown if each.kind == kind] for kind in kinds}
    return _look(known, Asked(network, roles, boards), every)


def _look(known: Sequence[Hypothesis], asked: Asked, every: Mapping[str, Sequence[Shown]]) -> Probed:
    left, samples = [Seen(one) for one in known], {kind: Sample.of(of_kind) for kind, of_kind in every.items()}
    decision, begins = Decision(None, tuple(Standing(one, None, None, None) for one in known), reads=False), 0
    skipped = False
    for ends in LOOKS:
        # The first look is at every reading: where there is a policy it need not see what only values tell.
        kinds = [kind for kind in every if begins or POLICY not in asked.roles or kind in TACTICAL]
        fresh = {kind: every[kind][begins if kind in TACTICAL or not skipped else 0 : ends] for kind in kinds}
        skipped = len(kinds) < len(every)
        try:
            asked.answer(left, fresh)
        except TooManyBoardsError:
            return Probed(replace(decision, found=None), sum(len(of[:begins]) for of in every.values()), stopped=True)
        decision, begins = decide(left, samples, len(known), last=ends >= ENOUGH), ends
        names = {each.hypothesis.name for each in decision.standings}
        left = [one for one in left if one.hypothesis.name in names]
        settled = decision.found is not None and not decision.alike
        if ends >= ENOUGH and (settled or not decision.reads):
            break
    return Probed(decision, sum(len(of[:begins]) for of in every.values()), stopped=False)


def _describe(probed: Probed) -> str:
    """The figures as a clause: what the readings find that remain."""
    standings = probed.decision.standings
    if probed.stopped:
        stopped = f"stopped after {probed.positions} positions, as the network is too large to be asked for more"
        told = ", ".join(f"{each.hypothesis.name} {_figures(each)}" for each in standings[:MOST_NAMED])
        return f"{stopped}: {told}" if probed.decision.reads else stopped
    if not probed.decision.reads:
        blindly = [each.blindly for each in standings if each.blindly is not None]
        chance = f", {max(blindly):.0%} of the moves by chance" if blindly else ""
        return f"tested on {probed.positions} positions: no reading does clearly better than chance{chance}"
    named = standings[: 1 if probed.decision.found else MOST_NAMED]
    told = ", ".join(f"{each.hypothesis.name} {_figures(each)}" for each in named)
    others = _either([each.hypothesis.name for each in probed.decision.alike[:MOST_NAMED]])
    alike = f"; it plays alike if read as {others}, so that which of them is its own is not known" if others else ""
    return f"tested on {probed.positions} positions: {told}{alike}"


def _figures(each: Standing) -> str:
    moves = f"finds {each.moves:.0%} of the moves, {each.blindly:.0%} by chance" if each.moves is not None else ""
    values = f"orders {each.values:.0%} of the values" if each.values is not None else ""
    return " and ".join(filter(None, (moves, values)))


def without_detection(reading: Reading, why: str, among: Iterable[Convention | Hypothesis] = ()) -> Reading:
    """`reading` if no other way is known; Undecided, naming the ways (`among` or all), if there are several."""
    every = ways(reading) if reading.game.frontiers is not None else readings_like(reading)
    named = [one.name for one in among] or [one.name for one in every]
    if len(named) < 2 and not among:
        return reading
    more = f" or one of {len(named) - MOST_NAMED} others (docs/readings.md)" if len(named) > MOST_NAMED + 1 else ""
    choices = ", ".join(named[:MOST_NAMED]) + more if more else _either(named)
    what = "the order of its planes" if reading.game.frontiers is not None else "how it reads the board"
    known = f"its shapes are {reading.game.title}'s, but {what} is not known"
    raise Undecided(f"{known} ({why}): say --encoding {choices}")


def _by_frontiers(reading: Reading, network: Network, widths: Mapping[str, int]) -> Reading:
    known = ways(reading)
    if not known:
        return reading
    if reading.numbering is None or POLICY not in widths:
        return without_detection(reading, "it has no policy to ask")
    if widths.get(VALUE) != 1:
        return without_detection(reading, "it has no value of one number to ask")
    found, told = by_frontiers(known, network)
    if len(found) == 1:
        return replace(known[found[0]], note=_sentence(told))
    return without_detection(reading, told, found)


def _sentence(clause: str) -> str:
    return clause[:1].upper() + clause[1:]


def _either(words: Sequence[str]) -> str:
    if not words:
        return ""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last
