"""Assigns each output's role by the user's word, its name in the file, or custom; and says so in a sentence.

A role is a fact only if the user or the file states it. Width and activation only give an assumption. One unit beside a
row of moves is usually the value. As many numbers as a board has cells or columns are usually moves. Fewer numbers may
be anything, such as three styles or two chances, and get no role. Two outputs of one width get none either.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from math import prod

from ...games.known.recognition import has_moves
from ...statement import Degree, Statement
from ..checkpoint.head import OTHER, POLICY, VALUE, Head

# The names that people give to their heads, as whole words of the output's name.
WORDS = {
    VALUE: frozenset({"value", "v", "values", "val"}),
    POLICY: frozenset({"policy", "pi", "p", "probs", "prob", "policies", "move", "moves", "action", "actions"}),
}
# Words that are enough for any width; the others may be part of another thing's name.
_PLAIN = frozenset({"value", "policy", "pi"})
# Names of heads that give a game's result in three values: won, drawn, lost.
_RESULT_WORDS = frozenset({"result", "results", "wdl", "outcome", "outcomes"})
RESULT_WIDTH = 3
# Names of outputs that are neither the value nor the policy of the present position.
_OTHER_WORDS = frozenset(
    {"style", "styles", "ownership", "owner", "owners", "territory", "score", "scores", "lead", "left", "remaining",
     "uncertainty", "variance", "error", "length", "reward", "opponent", "opp", "aux", "auxiliary", "next", "soft",
     "reply", "phase", "class", "classes", "label", "labels", "elo", "rating", "embedding", "features"}
)  # fmt: skip
_VALUE_ACTIVATIONS = frozenset({"tanh", "linear", "sigmoid", "hard_sigmoid", "softsign", "unknown"})
NOBODY = "none"
Shapes = Sequence[tuple[int, ...]]


def assign_roles(
    heads: Sequence[Head],
    inputs: Shapes,
    value_head: str | None = None,
    policy_head: str | None = None,
    inner: Collection[str] = (),
) -> list[Head]:
    """The heads with role, degree and reason, in their order.

    `inputs` are the inputs' shapes without the batch, empty if unknown. `value_head` and `policy_head` are names of
    outputs, or NOBODY for no such output; other names are ignored. `inner` are the outputs from which a single number
    is calculated that is an output too.
    """
    chosen = {VALUE: value_head, POLICY: policy_head}
    names = {head.source_name for head in heads}
    closed = {role for role, name in chosen.items() if name == NOBODY and NOBODY not in names}
    roles = {
        name: (role, Degree.SAID, f"--{role}-head")
        for role, name in chosen.items()
        if role not in closed and name in names
    }
    for role, head, degree, reason in (*_by_name(heads), *_by_shape(heads, inputs, inner)):
        taken = {each for each, *_ in roles.values()}
        if role not in taken | closed and head.source_name not in roles:
            roles[head.source_name] = (role, degree, reason)
    unknown = (OTHER, Degree.UNKNOWN, "neither said nor named")
    pairs = [(head, roles.get(head.source_name, unknown)) for head in heads]
    return [replace(head, role=role, degree=degree, reason=reason) for head, (role, degree, reason) in pairs]


def _words_of(head: Head) -> set[str]:
    return set(re.split(r"[^a-z]+", head.source_name.lower()))


def _is_called(head: Head, role: str) -> bool:
    """Whether the file's name of an output states this role, and its width allows it."""
    words = _words_of(head) & WORDS[role]
    if not words or _words_of(head) & _OTHER_WORDS:
        return False
    fits = head.width in (1, RESULT_WIDTH) if role == VALUE else head.width > RESULT_WIDTH
    return fits or bool(words & _PLAIN)


def _by_name(heads: Sequence[Head]) -> list[tuple[str, Head, Degree, str]]:
    """Heads whose own name states the role, if no second head states it too, and the name states no other role.

    None if a file calls a single number its policy: then the names may be exchanged.
    """
    if any(head.width == 1 and _words_of(head) & WORDS[POLICY] & _PLAIN for head in heads):
        return []
    called = {role: [head for head in heads if _is_called(head, role)] for role in WORDS}
    by_name = [
        (role, named[0], Degree.CERTAIN, f"the file calls it '{named[0].source_name}'")
        for role, named in called.items()
        if len(named) == 1 and not any(named[0] in other for each, other in called.items() if each != role)
    ]
    results = [head for head in heads if head.width == RESULT_WIDTH and _words_of(head) & _RESULT_WORDS]
    # A single number may still be the value, unless its name means another thing, such as moves_left.
    units = [head for head in heads if head.width == 1 and not _words_of(head) & _OTHER_WORDS]
    if not called[VALUE] and len(results) == 1 and not units:
        by_name.append((VALUE, results[0], Degree.CERTAIN, f"the file calls it '{results[0].source_name}'"))
    return by_name


def _by_shape(heads: Sequence[Head], inputs: Shapes, inner: Collection[str]) -> list[tuple[str, Head, Degree, str]]:
    """The usual pair: one unit as the value, and the widest output as the policy if its width fits the moves.

    An output that leads to the value, such as its distribution over 601 places, is the policy only if no other one
    fits.
    """
    # If two names state the role, neither decides.
    open_roles = {role for role in WORDS if not any(_is_called(head, role) for head in heads)}
    free = [head for head in heads if not any(_is_called(head, role) for role in WORDS)]
    free = [head for head in free if not _words_of(head) & (_OTHER_WORDS | _RESULT_WORDS)]
    shaped = []
    units = [head for head in free if head.width == 1 and head.activation in _VALUE_ACTIVATIONS]
    if VALUE in open_roles and len(units) == 1:
        shaped.append((VALUE, units[0], Degree.ASSUMED, f"one {units[0].activation} unit"))
    wide = sorted((head for head in free if head.width > 1), key=lambda head: -head.width)
    wide = [head for head in wide if head.source_name not in inner] or wide
    is_alone = len(wide) == 1 or (len(wide) > 1 and wide[0].width > wide[1].width)
    if POLICY in open_roles and wide and is_alone and _may_be_moves(wide[0].width, inputs):
        shaped.append((POLICY, wide[0], Degree.ASSUMED, f"{wide[0].width} {_numbers_of(wide[0])}"))
    return shaped


def _may_be_moves(width: int, inputs: Shapes) -> bool:
    """Whether this number of values may be the moves on an input's board: at least one per column."""
    if width <= RESULT_WIDTH:
        return False
    cells = [_cells(shape) for shape in inputs if shape]
    return not cells or width**2 >= max(cells) or has_moves(inputs, width)


def _cells(shape: tuple[int, ...]) -> int:
    """The number of cells on a board of this shape, without the planes."""
    return max(prod(shape[:2]), prod(shape[-2:])) if len(shape) > 2 else prod(shape)


def _numbers_of(head: Head) -> str:
    return "numbers" if head.activation in ("linear", "unknown") else f"{head.activation} numbers"


def say_output(head: Head) -> Statement:
    """The statement about an output's role."""
    name, role = head.source_name, head.role
    if role == OTHER:
        what = "the number" if head.width == 1 else f"the {head.width} numbers"
        means = "means" if head.width == 1 else "mean"
        instead = "--value-head NAME or --policy-head NAME"
        return Statement(name, head.degree, f"what {what} of '{name}' {means}. {instead} says it.", instead=instead)
    if head.degree is Degree.ASSUMED:
        sentence = f"'{name}' is taken for the {role}: {head.reason}. If not: --{role}-head NAME, or none."
    elif head.degree is Degree.SHOWN:
        sentence = f"'{name}' is the {role}: its answers show it."
    else:
        sentence = f"'{name}' is the {role}: {head.reason}."
    instead = f"--{role}-head NAME" if head.degree is Degree.ASSUMED else ""
    return Statement(name, head.degree, sentence, instead=instead)
