"""An app's name and what identifies it to the system: application id, version, icon."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from ...errors import AzxError
from ...pages.png import Picture, read_png

MOST_LETTERS = 30
# Java's reserved words, which may be no part of an application id.
_RESERVED = frozenset(
    [
        "abstract",
        "assert",
        "boolean",
        "break",
        "byte",
        "case",
        "catch",
        "char",
        "class",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extends",
        "false",
        "final",
        "finally",
        "float",
        "for",
        "goto",
        "if",
        "implements",
        "import",
        "instanceof",
        "int",
        "interface",
        "long",
        "native",
        "new",
        "null",
        "package",
        "private",
        "protected",
        "public",
        "return",
        "short",
        "static",
        "strictfp",
        "super",
        "switch",
        "synchronized",
        "this",
        "throw",
        "throws",
        "transient",
        "true",
        "try",
        "void",
        "volatile",
        "while",
    ]
)
LARGEST_CODE = 2_100_000_000
# The first word of an application id that is made from the app's name.
_PREFIX = "game"


@dataclass(frozen=True)
class Facts:
    """An app's name, application id, version and version code; AzxError if Android does not accept one of them."""

    name: str
    identity: str
    version: str = "1.0"
    code: int = 1
    icon: Path | None = None

    def __post_init__(self) -> None:
        plain = (
            self.name.strip() == self.name and self.name.isprintable() and max(map(ord, self.name or "\0")) < 0x10000
        )
        if not (plain and 0 < len(self.name) <= MOST_LETTERS):
            raise AzxError(
                f"The name {self.name!r} must be a line of 1 to {MOST_LETTERS} letters without emoji: "
                "give another one with --name."
            )
        parts = self.identity.split(".")
        fits = all(re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", part) and part not in _RESERVED for part in parts)
        if not (fits and len(parts) > 1 and len(self.identity) <= 150):
            raise AzxError(
                f"The application id {self.identity!r} must be at least two words with dots between them, each of "
                "letters, digits and _ and no word of Java's: give one such as org.example.my_go with --id."
            )
        if not (re.fullmatch(r"[\w.+-]{1,40}", self.version, re.ASCII) and 0 < self.code <= LARGEST_CODE):
            raise AzxError(
                f"The version {self.version!r} ({self.code}) must be one such as 1.2, and its code a number from 1 to "
                f"{LARGEST_CODE}: give others with --version and --version-code."
            )

    def read_icon(self) -> Picture | None:
        """Its own icon; None if there is none, AzxError if the file is no PNG."""
        return None if self.icon is None else read_png(self.icon)


def identity_of(name: str) -> str:
    """The application id of an app of this name, unless another is chosen; the same name gives the same id."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    word = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")
    if not word or not word[0].isalpha() or word in _RESERVED:
        word = f"n{hashlib.sha256(name.encode()).hexdigest()[:8]}"
    return f"{_PREFIX}.azx.{word}"


def code_of(version: str) -> int:
    """The version code of a version: 1.2.3 is 10203; 1 if the version has another form."""
    match = re.fullmatch(r"(\d{1,4})(?:\.(\d{1,2}))?(?:\.(\d{1,2}))?", version)
    if match is None:
        return 1
    large, middle, small = (int(part or 0) for part in match.groups())
    return max(1, 10000 * large + 100 * middle + small)
