"""Detects a network's encoding by showing it positions, in every reading that its shapes allow.

For Go this detects the order of the planes (`frontiers.py`). For Connect4, tic-tac-toe, Gomoku and Reversi the
positions are those in which the rules alone decide what is right (`positions.py`). In the right reading, a network
finds the moves and gives won positions higher values than lost ones (`behaviour.py`). `decision.py` has the rules for
stating a reading as a fact. If they settle nothing, the usual reading is assumed, with a note, unless it is clearly
worse than others; then none is chosen.

The first round is short and drops the readings that clearly lose. The last one shows all positions to the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from ...errors import Undecided
from ...export.checkpoint.head import POLICY, VALUE
from ...export.statements import boards as boards_say
from ...games.encoding import COMMON, EMPTY, MIXED, PLAYER0, PLAYERS, UNKNOWN, Encoding
from ...games.game import SHORT, Convention, Reading
from ...games.known.hypotheses import Hypothesis, hypotheses_of
from ...games.known.recognition import STACKED, ways
from ...games.value import ORDER
from ...statement import Statement
from .behaviour import VALUED, AskedNetwork, ReadingAnswers, TooManyBoardsError
from .budget import ANY
from .decision import FLOOR_OF_MOVES, FLOOR_OF_VALUES, Decision, Standing, decide
from .frontiers import by_frontiers, see_leader
from .positions import DRAWN, LEGAL, TACTICAL, Sample, ShownPosition, probe_positions
from .sign_test import Network

# The number of positions of each kind in each round; the last round uses all.
LOOKS = (6, 12, 20, 40, 80, 120)
# After this many, the last round follows only if the network reads the board and several readings remain.
ENOUGH = 40
# The most readings in a sentence, and the most that a bundle keeps beside an assumed one.
MOST_NAMED, MOST_RIVALS = 4, 8
EXCHANGED = "planes"
ONE_NUMBER: Mapping[str, int] = {POLICY: 1, VALUE: 1}


@dataclass(frozen=True)
class ProbeResult:
    """The decision, the number of positions, and whether the network is too large to answer all of them."""

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
    """`reading` with the encoding that the network itself uses, and a statement of how surely that is known.

    `widths` has, by role, the number of values in each output that the network has. A single known way is tested too.
    At most `boards` boards are asked (`budget.py`). Undecided, with the figures and what to type, if the answers settle
    nothing.

    With `assume`, the usual reading is chosen if it is among those that remain, or if nothing shows at all; the
    statement then says that it is assumed. Errors of `network` pass through.
    """
    if reading.game.frontiers is not None:
        return _by_frontiers(reading, network, widths)
    known = readings_like(reading) or (Hypothesis(reading.game.name, "", reading),)
    # For a single known way, the test must show that no other order of the planes does as well.
    probed = probe(known if len(known) > 1 else (*known, *exchange_planes(known[0])), network, widths, boards)
    if probed is None:
        if len(known) > 1:
            has_positions = probe_positions(known[0].reading.game, known[0].reading.settings)
            why = "it has no policy and no value to ask" if has_positions else "azx has no positions of its board"
            return without_detection(reading, why)
        return _alone(reading, "", of_three=widths.get(VALUE) == len(ORDER))
    decision = probed.decision
    own = decision.settled if decision.settled and not _is_exchanged(decision.settled) else None
    figures, of_three = _describe(probed), widths.get(VALUE) == len(ORDER)
    if own is not None and not decision.alike and not _plays_exchanged(own, decision, network, widths, boards):
        return replace(own.reading, statement=_shown(decision.standings[0], figures), shows=_shows(decision))
    if own is not None and (assume or not _is_beside_open(decision)):
        return _alike(own, known, probed)
    if len(known) < 2:
        best = decision.standings[0]
        plays = best.hypothesis == known[0] and best.moves is not None and best.moves >= FLOOR_OF_MOVES
        return _alone(reading, figures, of_three=of_three, plays=plays)
    if assume and decision.reads and (own := _but_for_the_turn(known, decision)) is not None:
        return _alike(own, known, probed)
    remains = not decision.reads or known[0] in [each.hypothesis for each in decision.standings]
    if assume and remains and reading.encoding in _catalogued(reading):
        whose = UNKNOWN if of_three else reading.encoding.value
        usual = replace(reading, encoding=replace(reading.encoding, value=whose))
        rivals = _rivals(usual, _remaining(known, decision), {})
        statement = boards_say.usual(
            known[0].name,
            _other_name(known[0], known, decision),
            figures,
            reads=decision.reads,
            too_large=probed.stopped,
        )
        return replace(usual, statement=statement, rivals=rivals, is_cut_short=probed.stopped)
    return without_detection(reading, figures, _remaining(known, decision))


def _but_for_the_turn(known: Sequence[Hypothesis], decision: Decision) -> Hypothesis | None:
    """The most usual remaining reading, if the remaining ones differ only in a plane without pieces; else None."""
    left = [one for one in known if one in [each.hypothesis for each in decision.standings]]
    encodings = [one.reading.encoding for one in left]
    # A plane of the empty cells is idle too: it follows from the planes of the pieces.
    idle = {*COMMON, EMPTY}
    kinds = {replace(each, planes=tuple("" if p in idle else p for p in each.planes)) for each in encodings}
    return left[0] if len(left) > 1 and len(kinds) == 1 else None


def _plays_exchanged(
    own: Hypothesis, decision: Decision, network: Network, widths: Mapping[str, int], boards: int
) -> bool:
    """Whether a network of many planes plays equally well with two of them exchanged, as far as tests show.

    A network that sees the legal moves may do so: its policy need not know which pieces belong to whom.
    """
    planes = own.reading.encoding.planes
    if len(planes) <= SHORT and LEGAL not in planes:
        return False
    again = probe((decision.standings[0].hypothesis, *exchange_planes(own)), network, widths, boards)
    if again is None or again.decision.settled is None or again.decision.alike:
        return True
    return _is_exchanged(again.decision.settled)


def _alike(own: Hypothesis, known: Sequence[Hypothesis], probed: ProbeResult) -> Reading:
    """The reading in which the network plays best, if it plays equally well in another one."""
    with_values = {e.hypothesis.name: e.with_value for e in probed.decision.standings if e.with_value}
    rivals = _rivals(own.reading, _remaining(known, probed.decision), with_values)
    statement = boards_say.alike(own.name, _other_name(_base(own, known), known, probed.decision), _describe(probed))
    return replace(
        own.reading, statement=statement, rivals=rivals, is_cut_short=probed.stopped, shows=_shows(probed.decision)
    )


def exchange_planes(one: Hypothesis) -> tuple[Hypothesis, ...]:
    """The reading with each pair of its planes exchanged: orders that no known network uses, for comparison."""
    encoding = one.reading.encoding
    exchanged = []
    for first, second in combinations(range(len(encoding.planes)), 2):
        planes = list(encoding.planes)
        planes[first], planes[second] = planes[second], planes[first]
        reading = replace(one.reading, encoding=replace(encoding, planes=tuple(planes)))
        if reading.encoding != encoding:
            exchanged.append(Hypothesis(f"{EXCHANGED} {first} and {second} exchanged", "", reading))
    return tuple(exchanged)


def _is_exchanged(one: Hypothesis) -> bool:
    return one.name.startswith(EXCHANGED)


def _is_beside_open(decision: Decision) -> bool:
    """Whether the network plays equally well if its second input says the opposite; that may mean something else."""
    remaining = [each.hypothesis.reading.encoding for each in decision.standings]
    board = replace(remaining[0], beside=None)
    players = {
        PLAYER0 in one.beside.planes[0] for one in remaining if one.beside and replace(one, beside=None) == board
    }
    return len(players) > 1


def _catalogued(reading: Reading) -> Sequence[Encoding]:
    """The encodings that azx has always recognised by the shapes of the game's networks."""
    return [encoding for shape in reading.game.shapes for encoding in shape.encodings if encoding.layout != "flat"] + [
        shape.encodings[0] for shape in reading.game.shapes
    ]


def _alone(reading: Reading, figures: str, *, of_three: bool = False, plays: bool = False) -> Reading:
    """The only known reading, assumed; the order of a value of three outputs stays unknown, so it is unused."""
    whose = UNKNOWN if of_three else reading.encoding.value
    encoding = replace(reading.encoding, value=whose)
    return replace(reading, encoding=encoding, statement=boards_say.alone(figures, plays=plays), rivals={})


def _base(own: Hypothesis, known: Sequence[Hypothesis]) -> Hypothesis:
    """The known reading of which `own` is a version, without a statement about its value."""
    return max((one for one in known if own.name.startswith(one.name)), key=lambda one: len(one.name), default=own)


def _other_name(taken: Hypothesis, known: Sequence[Hypothesis], decision: Decision) -> str | None:
    """The name for --encoding of the best reading that remains beside `taken`, else of another known one."""
    others = [(each.hypothesis, each.with_value or each.hypothesis) for each in decision.standings]
    others += [(one, one) for one in known]
    return next((valued.name for one, valued in others if one != taken and not _is_exchanged(one)), None)


def _shown(best: Standing, figures: str) -> Statement:
    return boards_say.shown(best.moves, best.blindly, best.values, figures)


def _shows(decision: Decision) -> frozenset[str]:
    """The roles whose answers show the settled reading."""
    best = decision.standings[0]
    moves = best.moves is not None and best.moves >= FLOOR_OF_MOVES
    values = best.values is not None and best.values >= FLOOR_OF_VALUES
    return frozenset([*([POLICY] if moves else []), *([VALUE] if values else [])])


def _rivals(usual: Reading, remaining: Sequence[Hypothesis], valued: Mapping[str, Hypothesis]) -> dict[str, Reading]:
    """The best of the other remaining readings, by name, on the same board.

    Each has its own value's owner if `valued` has the reading, by its name; otherwise the usual owner.
    """
    named = [one for one in remaining if one.reading.settings == usual.settings and not _is_exchanged(one)]
    every = [valued.get(one.name) or one.with_value(usual.encoding.value) for one in named]
    others = [one for one in every if one.reading.as_data() != usual.as_data()]
    return {one.name: one.reading for one in others[:MOST_RIVALS]}


def _remaining(known: Sequence[Hypothesis], decision: Decision) -> list[Hypothesis]:
    """The readings that remain.

    For a network that reads the board, also those that differ from them only in colours.
    """
    left = [each.hypothesis for each in decision.standings]
    if not decision.reads:
        return left
    alike = {_but_for_colours(one) for one in left}
    return left + [one for one in known if one not in left and _but_for_colours(one) in alike]


def _but_for_colours(one: Hypothesis) -> tuple[object, ...]:
    """Everything in a reading except the players to whom pieces belong."""
    encoding = one.reading.encoding
    planes = tuple(plane.rpartition("_")[0] if plane in MIXED and "_" in plane else plane for plane in encoding.planes)
    pieces = tuple("pieces" if plane in PLAYERS else plane for plane in planes)
    return (encoding.layout, encoding.flip, encoding.transpose, *pieces)


def readings_like(reading: Reading) -> tuple[Hypothesis, ...]:
    """Every reading of the same game, input and policy; empty if the catalogue lacks this one."""
    width = reading.numbering.width if reading.numbering else None
    every = hypotheses_of(reading.game, reading.encoding.input_shapes, width)
    layout = reading.encoding.layout
    return tuple(one for one in every if layout not in STACKED or one.reading.encoding.layout == layout)


def probe(
    known: Sequence[Hypothesis], network: Network, widths: Mapping[str, int], boards: int = ANY
) -> ProbeResult | None:
    """The network's result for these readings of one game; None if there is nothing to ask or to show.

    `widths` are as for `detect_encoding`; `boards` limits the boards, after which the rounds so far decide.
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
    return _look(known, AskedNetwork(network, roles, boards), every)


def _look(
    known: Sequence[Hypothesis], asked: AskedNetwork, every: Mapping[str, Sequence[ShownPosition]]
) -> ProbeResult:
    left, samples = (
        [ReadingAnswers(one) for one in known],
        {kind: Sample.of(of_kind) for kind, of_kind in every.items()},
    )
    decision, begins = Decision(None, tuple(Standing(one, None, None, None) for one in known), reads=False), 0
    skipped = False
    for ends in LOOKS:
        # The first round tests every reading; if the network has a policy, it skips kinds for values only.
        kinds = [kind for kind in every if begins or POLICY not in asked.roles or kind in TACTICAL]
        fresh = {kind: every[kind][begins if kind in TACTICAL or not skipped else 0 : ends] for kind in kinds}
        skipped = len(kinds) < len(every)
        try:
            asked.answer(left, fresh)
        except TooManyBoardsError:
            return ProbeResult(
                replace(decision, settled=None), sum(len(of[:begins]) for of in every.values()), stopped=True
            )
        decision, begins = decide(left, samples, len(known), last=ends >= ENOUGH), ends
        names = {each.hypothesis.name for each in decision.standings}
        left = [one for one in left if one.hypothesis.name in names]
        is_settled = decision.settled is not None and not decision.alike
        if ends >= ENOUGH and (is_settled or not decision.reads):
            break
    return ProbeResult(decision, sum(len(of[:begins]) for of in every.values()), stopped=False)


def _describe(probed: ProbeResult) -> str:
    """The figures of the remaining readings, as a clause."""
    standings = probed.decision.standings
    if probed.stopped:
        stopped = f"stopped after {probed.positions} positions, as the network is too large to be asked for more"
        clause = ", ".join(f"{each.hypothesis.name} {_figures(each)}" for each in standings[:MOST_NAMED])
        return f"{stopped}: {clause}" if probed.decision.reads else stopped
    if not probed.decision.reads:
        blindly = [each.blindly for each in standings if each.blindly is not None]
        chance = f", {max(blindly):.0%} of the moves by chance" if blindly else ""
        return f"tested on {probed.positions} positions: no reading does clearly better than chance{chance}"
    named = standings[: 1 if probed.decision.settled else MOST_NAMED]
    clause = ", ".join(f"{each.hypothesis.name} {_figures(each)}" for each in named)
    others = _either([each.hypothesis.name for each in probed.decision.alike[:MOST_NAMED]])
    alike = f"; it plays alike if read as {others}, so that which of them is its own is not known" if others else ""
    return f"tested on {probed.positions} positions: {clause}{alike}"


def _figures(each: Standing) -> str:
    moves = f"finds {each.moves:.0%} of the moves, {each.blindly:.0%} by chance" if each.moves is not None else ""
    values = f"orders {each.values:.0%} of the values" if each.values is not None else ""
    return " and ".join(filter(None, (moves, values)))


def without_detection(reading: Reading, why: str, among: Iterable[Convention | Hypothesis] = ()) -> Reading:
    """`reading`, assumed, if no other way is known; Undecided, naming the ways (`among` or all), if several are known.

    `why` are the figures, or the reason why there are none, as a clause.
    """
    every = ways(reading) if reading.game.frontiers is not None else readings_like(reading)
    named = [one.name for one in among] or [one.name for one in every]
    if len(named) < 2 and not among:
        return _alone(reading, why)
    what = "the order of its planes" if reading.game.frontiers is not None else "how it reads the board"
    raise Undecided(boards_say.not_known(reading.game.title, what, named), why)


def _by_frontiers(reading: Reading, network: Network, widths: Mapping[str, int]) -> Reading:
    known = ways(reading)
    if not known:
        return _by_leader(reading, network, widths)
    if reading.numbering is None or POLICY not in widths:
        return without_detection(reading, "it has no policy to ask")
    if widths.get(VALUE) != 1:
        return without_detection(reading, "it has no value of one number to ask")
    open_ways, clause = by_frontiers(known, network)
    if len(open_ways) == 1:
        return replace(
            known[open_ways[0]], statement=boards_say.shown_by_frontiers(clause), shows=frozenset((POLICY, VALUE))
        )
    return without_detection(reading, clause, open_ways)


def _by_leader(reading: Reading, network: Network, widths: Mapping[str, int]) -> Reading:
    """The only known way for one plane or two, assumed, with the value's answers to boards in it."""
    if widths.get(VALUE) != 1:
        return _alone(reading, "it has no value of one number to ask", of_three=widths.get(VALUE) == len(ORDER))
    sees, clause = see_leader(reading, network)
    assumed = _alone(reading, clause, plays=sees is True)
    return assumed if sees is not False else replace(assumed, statement=boards_say.contrary(clause))


def _either(words: Sequence[str]) -> str:
    if not words:
        return ""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last
