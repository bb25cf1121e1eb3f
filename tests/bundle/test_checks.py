"""The recipe docs/adding-a-check.md, followed: one function in one list, and the order of the list."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from azx.bundle.claims import checks
from azx.bundle.claims.evidence import Evidence
from azx.bundle.claims.findings import Finding, compare, refute, settle
from azx.manifest import Manifest
from tests.support.held import Data, Edit, Held

RECIPE = Path(__file__).parents[2] / "docs" / "adding-a-check.md"


def few_threads(manifest: Manifest, evidence: Evidence) -> Iterator[Finding]:
    yield from compare("threads", manifest.threads, 0, "as the recipe has it")


def few_heads(manifest: Manifest, evidence: Evidence) -> Iterator[Finding]:
    if evidence.golden or evidence.checkpoint:
        yield from compare("outputs", len(evidence.heads), 0, "as the recipe has it")


@pytest.mark.parametrize("against", [True, False], ids=["with the checkpoint", "without it"])
def test_a_check_is_one_function_in_the_list(held: Held, monkeypatch: pytest.MonkeyPatch, against: bool) -> None:
    held.told(lambda data: None, "manifest.json")
    monkeypatch.setattr(checks, "CHECKS", (*checks.CHECKS, few_threads, few_heads))
    false = {claim.member: claim.says for claim in held.claims(against=against).false}
    assert false == {
        "threads": "is 1 and not 0, as the recipe has it",
        "outputs": "is 2 and not 0, as the recipe has it",
    }


def lie(manifest: Data) -> None:
    manifest["threads"] = 4
    manifest["recommended"] = {}
    manifest["outputs"][0]["activation"] = "sigmoid"
    manifest["positions"]["count"] += 1


def lie_of_the_game(manifest: Data) -> None:
    """One that several checks name: encoding, assumed readings, golden.json and the artifacts' own statements."""
    manifest["encoding"]["planes"].reverse()
    manifest["assumed"]["others"].pop()
    manifest["outputs"][0]["role"] = "other"
    manifest["checkpoint"]["file"] = "alphago.h5"
    manifest["azx_version"] = "0.0.1"


LIES = [lie, lie_of_the_game]


@pytest.mark.parametrize("against", [True, False], ids=["with the checkpoint", "without it"])
@pytest.mark.parametrize("edit", LIES)
def test_the_order_of_the_checks_does_not_matter(
    held: Held, monkeypatch: pytest.MonkeyPatch, against: bool, edit: Edit
) -> None:
    held.told(edit, "manifest.json")
    claims = held.claims(against=against)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(checks.CHECKS))
        monkeypatch.setattr(checks, "CHECKS", tuple(checks.CHECKS[at] for at in order))
        assert held.claims(against=against) == claims


def test_the_shortest_clause_counts_in_either_order() -> None:
    both = [refute("threads", "is 4 and not 1, as every bundle has it"), refute("threads", "is 4 and not 1")]
    assert settle(both) == settle(both[::-1])
    assert settle(both).sentences == ["manifest.json: 'threads' is 4 and not 1."]


def test_members_of_any_name_have_an_order() -> None:
    names = ["files[10]", "files[2]", "files[\u0663]", "files[" + "9" * 5000 + "]", "", "7", "files"]
    for turned in (names, names[::-1]):
        claims = settle([refute(name, "is wrong") for name in turned]).false
        assert [claim.member for claim in claims] == [*("", "7", "files"), *(names[1], names[0], names[3], names[2])]


def test_a_finding_that_another_one_explains_does_not_count_in_either_order() -> None:
    because, explained = refute("encoding.flip", "is true"), replace(refute("assumed", "is null"), unless=("encoding",))
    for findings in ([because, explained], [explained, because]):
        assert [claim.member for claim in settle(findings).false] == ["encoding.flip"]
    assert [claim.member for claim in settle([explained]).false] == ["assumed"]


@pytest.mark.parametrize("name", ["making", "proving"])
def test_export_and_validation_prove_by_one_case(name: str) -> None:
    tree = ast.parse((RECIPE.parents[1] / "bundle" / f"{name}.py").read_text(encoding="utf8"))
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    called = Counter(each.id if isinstance(each, ast.Name) else getattr(each, "attr", "") for each in calls)
    assert {each: called[each] for each in ("Original", "Case", "prove", "compare")} == {
        "Original": 1,
        "Case": 1,
        "prove": 1,
        "compare": 1,
    }
    assert not called.keys() & {"prove_all", "Comparison", "RunTask", "establish", "run_artifact"}


def test_the_recipe_names_what_there_is() -> None:
    text = RECIPE.read_text(encoding="utf8")
    root = RECIPE.parents[1]
    for path in re.findall(r"`([\w/]+\.py)`", text):
        assert (root / path).is_file(), path
    assert "def check_threads(manifest: Manifest, evidence: Evidence) -> Iterator[Finding]" in text
