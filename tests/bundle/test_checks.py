"""The recipe docs/adding-a-check.md, followed: one function in one list, and the order of the list."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from azx.bundle.claims import checks
from azx.bundle.claims.evidence import Evidence
from azx.bundle.claims.findings import Findings
from tests.support.held import Data, Held

RECIPE = Path(__file__).parents[2] / "docs" / "adding-a-check.md"


def few_threads(findings: Findings, evidence: Evidence) -> None:
    findings.same("threads", evidence.manifest.threads, 0, "as the recipe has it")


def few_heads(findings: Findings, evidence: Evidence) -> None:
    if evidence.heads is None:
        return
    findings.same("outputs", len(evidence.heads), 0, "as the recipe has it")


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


@pytest.mark.parametrize("against", [True, False], ids=["with the checkpoint", "without it"])
def test_the_order_of_the_checks_hides_no_lie(held: Held, monkeypatch: pytest.MonkeyPatch, against: bool) -> None:
    held.told(lie, "manifest.json")
    lies = {claim.member for claim in held.claims(against=against).false}
    assert {"threads", "outputs[0].activation"} <= lies
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(checks.CHECKS))
        monkeypatch.setattr(checks, "CHECKS", tuple(checks.CHECKS[at] for at in order))
        assert lies <= {claim.member for claim in held.claims(against=against).false}


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
    assert "def _threads(findings: Findings, evidence: Evidence)" in text
