"""The findings about a bundle's claims: false claims, and claims that the evidence cannot decide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ..contents.manifest import MANIFEST

# At most this many false claims get a sentence each; --json lists all.
MOST_SENTENCES = 12
# The middle of a longer value is left out.
LONGEST = 60
FORGED = (
    "an artifact and golden.json can be forged together, and nothing here would show it: "
    "give the checkpoint with --against"
)


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

    def as_data(self) -> dict[str, Any]:
        """The verdict as JSON types."""
        return {
            "held_to": self.held_to,
            "false": [asdict(claim) for claim in self.false],
            "not_provable": [asdict(claim) for claim in self.unproved],
        }


@dataclass
class Findings:
    """Collects claims; the first one about a member counts.

    `current` is true if this version of azx wrote the bundle. Another version may have drawn other positions,
    simplified other networks, or used other words. Such a difference proves nothing, so it is not a contradiction.
    """

    current: bool = True
    _false: dict[tuple[str, str], Claim] = field(default_factory=dict)
    _unproved: dict[tuple[str, str], Claim] = field(default_factory=dict)

    def refute(self, member: str, says: str, file: str = MANIFEST) -> None:
        """Note that `member` is false; `says` is a clause such as "is 4 and not 1"."""
        self._false.setdefault((file, member), Claim(file, member, _printable(says)))

    def doubt(self, member: str, says: str, file: str = MANIFEST) -> None:
        """Note that the evidence does not decide whether `member` is true; `says` is a clause with the reason."""
        self._unproved.setdefault((file, member), Claim(file, member, _printable(says)))

    def proves(self, member: str, file: str = MANIFEST) -> None:
        """Remove the doubt about `member`."""
        self._unproved.pop((file, member), None)

    def refute_if_current(self, member: str, says: str, file: str = MANIFEST) -> None:
        """Call `refute` if this version of azx wrote the bundle, else `doubt`."""
        if self.current:
            self.refute(member, says, file)
        else:
            self.doubt(member, f"{says}, which another version of azx may have written", file)

    def same(self, member: str, stated: Any, derived: Any, why: str = "", file: str = MANIFEST) -> bool:
        """Whether the stated value equals the derived one (JSON types); if not, it is refuted.

        `why` ends the clause.
        """
        if is_same(stated, derived):
            return True
        self.refute(
            member, f"is {shorten_value(stated)} and not {shorten_value(derived)}{', ' + why if why else ''}", file
        )
        return False

    def is_false(self, member: str, file: str = MANIFEST) -> bool:
        """Whether `member`, or a part of it, is refuted."""
        return any(name == file and part.startswith(member) for name, part in self._false)

    def verdict(self, held_to: str) -> Claims:
        """All findings as a verdict."""
        unproved = tuple(claim for key, claim in self._unproved.items() if key not in self._false)
        return Claims(held_to, tuple(self._false.values()), unproved)


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
