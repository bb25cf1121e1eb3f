"""38 further networks in PyTorch, of designs that `in_torch.py` lacks, written as ONNX; azx must refuse three.

    PYTHON benchmarks/makes/more_in_torch.py FOLDER [NAME]...      # a Python that has torch, onnx and onnxscript

The network's number is the seed of its weights. The present and the earlier exporter take turns, with operator sets 9
to 22 and a free batch or one position.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

import designs_of_boards
import designs_of_tokens
import in_torch as base
from designs import MORE

WAYS = (("new", 18, True), ("old", 17, True), ("old", 11, True), ("new", 20, False), ("old", 13, False))
# Designs that need a certain operator set or exporter.
OWN_WAYS = {
    "opset_9": (("old", 9, True),),
    "opset_22": (("new", 22, True),),
    "loop": (("old", 17, False),),
    "branch": (("old", 17, False),),
}


def write(folder: Path, names: list[str]) -> None:
    """Write the networks as NAME.onnx; if an exporter cannot write an operation, the next one is tried."""
    base.need_torch()
    designs_of_boards.need_torch()
    designs_of_tokens.need_torch()
    for at, (name, maker) in enumerate(MORE.items()):
        for turn in range(len(WAYS)) if not names or name in names else ():
            way = OWN_WAYS.get(name, WAYS)[(at + turn) % len(OWN_WAYS.get(name, WAYS))]
            base.torch.manual_seed(at)
            module, boards = maker()
            how, opset, is_free = way
            problem = _write(folder / f"{name}.onnx", module, boards, how, opset, is_free)
            print(f"{name}: {way} {problem or 'written'}", flush=True)
            if problem is None:
                break


def _write(path: Path, module: Any, boards: list[Any], how: str, opset: int, is_free: bool) -> str | None:
    for part in module.modules():
        if getattr(part, "running_var", None) is not None:
            base.nn.init.uniform_(part.running_var, 0.5, 1.5)
            base.nn.init.normal_(part.running_mean, std=0.2)
    module.eval()
    doors, inputs = ["board", "legal"][: len(boards)], tuple(each if is_free else each[:1] for each in boards)
    more: dict[str, Any] = {"dynamo": how == "new", "opset_version": opset, "input_names": doors, "verbose": False}
    if is_free and how == "new":
        more["dynamic_shapes"] = [{0: base.torch.export.Dim("batch", min=1, max=4096)} for _ in doors]
    elif is_free:
        more["dynamic_axes"] = {each: {0: "batch"} for each in doors}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            base.torch.onnx.export(module, inputs, str(path), **more)
    except Exception as error:  # whatever the exporters raise
        return str(error).splitlines()[0][:200]
    return None


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    write(target, sys.argv[2:])
