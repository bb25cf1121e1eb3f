"""The page reads a TFLite file without the schema's package: its list of operators is the schema's, in its order."""

from __future__ import annotations

import json
from pathlib import Path

LISTED = Path("apps/web/src/bundle/door/operators.json")


def test_the_pages_operators_have_the_schemas_numbers(repository: Path) -> None:
    from ai_edge_litert import schema_py_generated as schema

    numbers = {name: number for name, number in vars(schema.BuiltinOperator).items() if isinstance(number, int)}
    listed = json.loads((repository / LISTED).read_text(encoding="utf-8"))
    assert {name: at for at, name in enumerate(listed)} == numbers
