"""The text of a record's file, in the character set that its SGF names (CA)."""

from __future__ import annotations

import codecs
import re

# Names of character sets are ASCII, and stand near the beginning.
_HEAD = 1_000
_SGF = re.compile(rb"(\xef\xbb\xbf)?\s*\(")
_NAMED = re.compile(rb"\bCA\s*\[\s*([\w.:-]+)\s*\]")
# Sets in which people write SGF, by Python's names. Python knows others that are not text, or that interpret escapes.
_KNOWN = re.compile(r"iso8859-\d+|cp(125\d|932|936|949|950)|shift_jis|euc_(jp|kr)|gb(2312|k|18030)|big5|koi8-r")


def text_of(data: bytes) -> str:
    """The text of a file's bytes in the character set that an SGF names; bytes that the set lacks become a mark.

    The set is UTF-8 if the file names it, or names no known set. SGF that is not valid UTF-8 is read as ISO 8859-1,
    SGF's default. UnicodeDecodeError if a file is neither SGF nor UTF-8.
    """
    is_sgf = _SGF.match(data) is not None
    named = _NAMED.search(data[:_HEAD]) if is_sgf else None
    if named and (name := _known(named[1].decode("ascii", "replace"))):
        return data.decode(name, "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        if not is_sgf:
            raise
        return data.decode("iso8859-1")


def _known(name: str) -> str | None:
    try:
        proper = codecs.lookup(name).name
    except LookupError:
        return None
    return proper if _KNOWN.fullmatch(proper) else None
