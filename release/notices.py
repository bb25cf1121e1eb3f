#!/usr/bin/env -S python3 -P
"""Write the third-party notices of a product, from parts.json.

python3 -P release/notices.py page|apk FILE
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from parts import PRODUCTS, LicenceError, licence_text, parts_of, read_parts

TITLES = {"page": "the web page of azx", "apk": "the Android app of azx"}
RULE = "-" * 72


def notices(product: str) -> str:
    """The notices of a product: each part with its version, home and copyright, then each licence once.

    LicenceError if a licence does not fit.
    """
    parts = parts_of(product, read_parts())
    holders = {part.name: [other.name for other in parts if part.name in other.holds] for part in parts}
    lines = [f"Third-party parts of {TITLES[product]}", "", "azx itself is under the Apache License 2.0."]
    for part in parts:
        inside = f" (compiled into {', '.join(holders[part.name])})" if part.source == "linked" else ""
        lines += ["", f"{part.name} {part.version}".strip() + inside, f"  {part.licence}, {part.home}"]
        lines += [f"  {line}" for line in part.copyright]
        if part.licence == "MPL-2.0":
            lines.append("  Its source code can be had at the address above.")
    for licence in sorted({part.licence for part in parts} | {"Apache-2.0"}):
        lines += ["", RULE, licence, RULE, "", licence_text(licence).strip("\n")]
    return "\n".join(lines) + "\n"


def main(product: str, target: Path) -> None:
    """Write the notices; a file that already has them stays untouched."""
    text = notices(product)
    if not target.is_file() or target.read_text(encoding="utf-8") != text:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in PRODUCTS:
        sys.exit(f"notices.py: give a product ({', '.join(PRODUCTS)}) and a file.")
    try:
        main(sys.argv[1], Path(sys.argv[2]))
    except LicenceError as error:
        sys.exit(f"notices.py: {error}")
