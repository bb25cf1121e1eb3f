"""The findings about a bundle's claims: false claims, and claims that the evidence cannot decide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Any

from ...manifest import Manifest
from ...system.natural_order import natural_key
from ...version import __version__
from ..contents.manifest import MANIFEST

# At most this many false claims get a sentence each; --json lists all.
MOST_SENTENCES = 12
# The middle of a longer value is left out.
LONGEST = 60
FORGED = (
    "an artifact and golden.json can be forged together, and nothing here would show it: "
    "give the checkpoint with --against"
)
FALSE, DATED, OPEN = "false", "false unless another azx wrote it", "nothing proves it"


@dataclass(frozen=True)
class Claim:
    """A member of manifest.json or golden.json, such as outputs[0].role, and a clause about it."""

    file: str
    member: str
    says: str

    @property
    def sentence(self) -> str:
        """The claim as a sentence: manifest.json: 'threads' is 4 and not 1."""
        return f"{self.file}: '{self.member}' {self.says}."


@dataclass(frozen=True)
class Claims:
    """The verdict on a bundle's statements about itself.

    `held_to` says what they were compared with. `false` are the claims that differ from it. `unproved` are the claims
    that it cannot decide, such as the exporter's choices.
    """

    held_to: str
    false: tuple[Claim, ...] = ()
    unproved: tuple[Claim, ...] = ()

    @property
    def sentences(self) -> list[str]:
        """One sentence for each of the first false claims, and one with the number of the others."""
        sentences = [claim.sentence for claim in self.false[:MOST_SENTENCES]]
        more = len(self.false) - len(sentences)
        return [*sentences, *([f"{more} more claims are false: --json lists them."] if more > 0 else [])]

    def is_false(self, member: str) -> bool:
        """Whether the manifest's `member`, or a part of it, is false."""
        return any(claim.file == MANIFEST and claim.member.startswith(member) for claim in self.false)

    def as_data(self) -> dict[str, Any]:
        """The verdict as JSON types."""
        return {
            "held_to": self.held_to,
            "false": [asdict(claim) for claim in self.false],
            "not_provable": [asdict(claim) for claim in self.unproved],
        }


@dataclass(frozen=True)
class Finding:
    """The result of a check on a claim: the claim is FALSE or DATED, or stays OPEN.

    A DATED claim is false if this version of azx wrote the bundle. Another version may have drawn other positions,
    simplified other networks, or used other words, so its claim stays open. `unless` are members of the manifest whose
    falsehood explains the finding: it counts only if none of them is refuted for another reason.
    """

    claim: Claim
    kind: str
    unless: tuple[str, ...] = ()

    def settled(self, *, current: bool) -> Finding:
        """The finding as FALSE or OPEN; `current` is true if this version of azx wrote the bundle."""
        if self.kind != DATED:
            return self
        if current:
            return replace(self, kind=FALSE)
        says = f"{self.claim.says}, which another version of azx may have written"
        return replace(self, kind=OPEN, claim=replace(self.claim, says=says))


def refute(member: str, says: str, file: str = MANIFEST) -> Finding:
    """The finding that `member` is false; `says` is a clause such as "is 4 and not 1"."""
    return Finding(Claim(file, member, _printable(says)), FALSE)


def refute_if_current(member: str, says: str, file: str = MANIFEST) -> Finding:
    """The finding of `refute` if this version of azx wrote the bundle, else that of `doubt`."""
    return Finding(Claim(file, member, _printable(says)), DATED)


def doubt(member: str, says: str, file: str = MANIFEST) -> Finding:
    """The finding that the evidence does not decide `member`; `says` is a clause with the reason."""
    return Finding(Claim(file, member, _printable(says)), OPEN)


def compare(member: str, stated: Any, derived: Any, why: str = "") -> Iterator[Finding]:
    """Refute `member` if the stated value is not the derived one (JSON types). `why` ends the clause."""
    if not is_same(stated, derived):
        yield refute(member, differ(stated, derived, why))


def differ(stated: Any, derived: Any, why: str = "") -> str:
    """The clause about two values (JSON types) that differ; `why` ends it: "is 4 and not 1, as azx writes it"."""
    return f"is {shorten_value(stated)} and not {shorten_value(derived)}{', ' * bool(why)}{why}"


def settle(findings: Iterable[Finding], held_to: str = "", *, current: bool = True) -> Claims:
    """The verdict, which does not depend on the order of the findings. A false member is not listed as open, too.

    Of several clauses about one member the shortest counts, and among those the first of the alphabet.
    """
    settled = {each.settled(current=current) for each in findings}
    refuted = Claims("", tuple(each.claim for each in settled if each.kind == FALSE and not each.unless))
    counted = [each for each in settled if not any(map(refuted.is_false, each.unless))]
    false = _one_for_each(each.claim for each in counted if each.kind == FALSE)
    members = {(claim.file, claim.member) for claim in false}
    unproved = _one_for_each(each.claim for each in counted if each.kind == OPEN)
    return Claims(held_to, false, tuple(claim for claim in unproved if (claim.file, claim.member) not in members))


def _one_for_each(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """One claim for each member, in the members' order; those of manifest.json come first."""
    ordered = sorted(claims, key=_rank)
    return tuple(next(same) for _, same in groupby(ordered, key=attrgetter("file", "member")))


def _rank(claim: Claim) -> tuple[Any, ...]:
    """The sorting key for claims: positions[2] comes before positions[10]."""
    return (claim.file != MANIFEST, natural_key(claim.member), len(claim.says), claim.says)


def is_current(manifest: Manifest) -> bool:
    """Whether this version of azx wrote the manifest."""
    return manifest.azx_version == __version__


def is_same(stated: Any, derived: Any) -> bool:
    """Whether two JSON values are equal; true is not 1, and members that only `stated` has do not count."""
    if isinstance(stated, Mapping) and isinstance(derived, Mapping):
        return all(key in stated and is_same(stated[key], derived[key]) for key in derived)
    if isinstance(stated, list) and isinstance(derived, list):
        return len(stated) == len(derived) and all(map(is_same, stated, derived))
    return bool(stated == derived) and isinstance(stated, bool) == isinstance(derived, bool)


def _printable(text: str) -> str:
    """The text with lone surrogates escaped: JSON can hold them, but terminals cannot print them."""
    return text.encode("utf8", "backslashreplace").decode("utf8")


def shorten_value(value: Any) -> str:
    """A value for a sentence, without the middle if it is long."""
    text = "null" if value is None else repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 20]} ... {text[-15:]}"
