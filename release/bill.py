"""Check a bill of materials with CycloneDX's own schema; prints the first fault, or nothing.

build/release-tools/bin/python -P release/bill.py FILE
"""

from __future__ import annotations

import sys
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

if __name__ == "__main__":
    fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(Path(sys.argv[1]).read_text(encoding="utf-8"))
    if fault is not None:
        print(str(fault).partition("\n\n")[0])
