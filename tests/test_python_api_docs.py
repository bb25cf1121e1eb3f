"""docs/python-api.md: its examples are one script, which runs as it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.whole
def test_the_examples_run_as_they_stand(repository: Path, tmp_path: Path) -> None:
    text = (repository / "docs" / "python-api.md").read_text(encoding="utf8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == text.count("```") / 2
    (tmp_path / "script.py").write_text("\n".join(blocks), encoding="utf8")
    done = subprocess.run([sys.executable, "script.py"], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "out True ['connect4.onnx', 'connect4.tflite']"
    assert lines[1].startswith("connect4.tflite value_head ")
    assert lines[5] == "True"
    assert lines[6].startswith("onnxruntime ")
    assert lines[6].endswith("{'value_head': (5, 1), 'policy_head': (5, 42)}")
    assert lines[7] == "[('value_head', 'value', 'tanh'), ('policy_head', 'policy', 'linear')]"
    assert lines[8:12] == ["a Keras model in memory (mine)", "True", "20", "50"]
    assert lines[12] == "680 ['value', 'policy']"
    assert lines[13] == "report.html True"
    assert lines[14] == "There is no bundle at 'nowhere': give the folder that azx export wrote."
