"""The findings about a bundle's claims: the false ones, and those that nothing at hand can prove."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from ..contents.manifest import MANIFEST

# At most this many false claims get a sentence: --json has them all.
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
    """The verdict on what a bundle says of itself.

    `held_to` says what it was compared with. `false` are the claims that differ from it. `unproved` are those that it
    cannot decide, such as choices of the exporter.
    """

    held_to: str
    false: tuple[Claim, ...] = ()
    unproved: tuple[Claim, ...] = ()

    @property
    def sentences(self) -> list[str]:
        """A sentence for each of the first false claims, and one with the number of the others."""
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
    """Collects claims; for each member only the first one counts.

    `current` says that this version of azx wrote the bundle. Another version may have drawn other positions, simplified
    other networks, or used other words. Such a difference is not provable, so it is no contradiction.
    """

    current: bool = True
    _false: dict[tuple[str, str], Claim] = field(default_factory=dict)
    _unproved: dict[tuple[str, str], Claim] = field(default_factory=dict)

    def refute(self, member: str, says: str, file: str = MANIFEST) -> None:
        """`member` is not as it must be; `says` is a clause: "is 4 and not 1"."""
        self._false.setdefault((file, member), Claim(file, member, _printable(says)))

    def doubt(self, member: str, says: str, file: str = MANIFEST) -> None:
        """Nothing at hand decides whether `member` is true; `says` is a clause with the reason."""
        self._unproved.setdefault((file, member), Claim(file, member, _printable(says)))

    def proves(self, member: str, file: str = MANIFEST) -> None:
        """The doubt about `member` is settled."""
        self._unproved.pop((file, member), None)

    def refute_if_current(self, member: str, says: str, file: str = MANIFEST) -> None:
        """As `refute` if this version of azx wrote the bundle, else as `doubt`."""
        if self.current:
            self.refute(member, says, file)
        else:
            self.doubt(member, f"{says}, which another version of azx may have written", file)

    def same(self, member: str, stated: Any, derived: Any, why: str = "", file: str = MANIFEST) -> bool:
        """Whether the stated value equals the derived one (JSON types); refutes it if not. `why` ends the clause."""
        if is_same(stated, derived):
            return True
        self.refute(
            member, f"is {shorten_value(stated)} and not {shorten_value(derived)}{', ' + why if why else ''}", file
        )
        return False

    def is_false(self, member: str, file: str = MANIFEST) -> bool:
        """Whether `member`, or a part of it, was found false."""
        return any(name == file and part.startswith(member) for name, part in self._false)

    def verdict(self, held_to: str) -> Claims:
        """All findings."""
        unproved = tuple(claim for key, claim in self._unproved.items() if key not in self._false)
        return Claims(held_to, tuple(self._false.values()), unproved)


def is_same(stated: Any, derived: Any) -> bool:
    """Equality of JSON values: true is not 1, and members that only `stated` has do not count."""
    if isinstance(stated, Mapping) and isinstance(derived, Mapping):
        return all(key in stated and is_same(stated[key], derived[key]) for key in derived)
    if isinstance(stated, list) and isinstance(derived, list):
        return len(stated) == len(derived) and all(map(is_same, stated, derived))
    return bool(stated == derived) and isinstance(stated, bool) == isinstance(derived, bool)


def _printable(text: str) -> str:
    """The text with lone surrogates escaped, which JSON can hold and terminals cannot print."""
    return text.encode("utf8", "backslashreplace").decode("utf8")


def shorten_value(value: Any) -> str:
    """A value for a sentence; the middle of a long one is left out."""
    text = "null" if value is None else repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 20]} ... {text[-15:]}"
