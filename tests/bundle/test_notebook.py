"""What a notebook shows of a result: a row for each artifact, with names from files escaped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import azx


def test_a_result_is_a_table(tmp_path: Path) -> None:
    done = azx.export_checkpoint("tictactoe", output=tmp_path / "a", formats="onnx", count=20)
    shown = done._repr_html_()
    assert "tictactoe.onnx" in shown
    assert ": passed, 20 positions" in shown
    assert all(head.head in shown and f"{head.limit:.1e}" in shown for head in done.proof.artifacts[0].heads)
    assert shown.count("<tr>") == 1 + len(done.proof.artifacts)
    again = azx.validate_bundle(tmp_path / "a")
    assert ": passed," in again._repr_html_()

    hostile = replace(done.proof.artifacts[0], file="<script>")
    shown = replace(done, proof=replace(done.proof, artifacts=(hostile,)))._repr_html_()
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown
    damaged = replace(done.proof.artifacts[0], damage="it cannot be read")
    assert "failed" in replace(done, proof=replace(done.proof, artifacts=(damaged,)))._repr_html_()
