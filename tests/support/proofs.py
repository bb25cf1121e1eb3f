"""Manifests and proofs of made-up networks, for tests of what is drawn of them: no network is run."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from azx.bundle.precision.trial import judge_approximation
from azx.export.checkpoint.head import POLICY, VALUE, Head
from azx.games.game import Reading
from azx.games.known.catalogue import GAMES
from azx.manifest import Artifact
from azx.validate.gate.gate import Gate
from azx.validate.gate.positions import gate_positions
from azx.validate.gate.verdict import readings_of
from azx.validate.positions import BOARDS, Part, Positions, positions
from azx.validate.proof.proof import Proof, judge
from azx.validate.proof.trace import exact_trace
from azx.validate.proof.truth import Truth
from azx.validate.run import Run

Data = dict[str, Any]
VALUES = Head("v", (1,), "tanh", VALUE, "value_head")
# (file, format, precision, how far off it is)
EXACT = (("net.onnx", "onnx", "fp32", 1e-7), ("net.tflite", "tflite", "fp32", 1e-7))
FAILING = ("net.int8.failing.tflite", "tflite", "int8", 0.3)
ARTIFACTS = (*EXACT, ("net.fp16.tflite", "tflite", "fp16", 1e-4), FAILING)


def reading_of(game: str, encoding: int = 0, numbering: int = 0) -> Reading:
    """How a network reads the game, the reference network or another."""
    known = GAMES[game]
    shape = known.shapes[0]
    return Reading(known, shape.encodings[encoding], shape.numberings[numbering], dict(shape.settings))


def manifest_of(reading: Reading | None, width: int, artifacts: tuple[Any, ...] = ARTIFACTS) -> Data:
    """A manifest as far as a page reads it."""
    shape = list(reading.encoding.shape) if reading else [5]
    outputs = [
        {"name": "value_head", "source_name": "v", "role": "value", "activation": "tanh", "shape": [1]},
        {"name": "policy_head", "source_name": "p", "role": "policy", "activation": "linear", "shape": [width]},
    ]
    return {
        "azx_version": "0.1.0",
        "name": "net",
        **(reading.as_data() if reading else {"game": None}),
        "checkpoint": {"file": "net.h5", "sha256": "0" * 64, "keras_version": "2.15.0", "parameters": 1234},
        "inputs": [{"name": "main_input", "source_name": "i", "shape": shape, "dtype": "float32"}],
        "outputs": outputs,
        "artifacts": [{"format": form, "path": file, "precision": kind} for file, form, kind, _ in artifacts],
        "files": [{"path": file, "sha256": "0" * 64, "size": 100_000} for file, *_ in artifacts],
    }


def proof_of(drawn: Positions, width: int, artifacts: tuple[Any, ...] = ARTIFACTS, scale: float = 1.0) -> Data:
    """The proof of artifacts that are off by so much, as parity.json holds it."""
    rng, count = np.random.default_rng(3), len(drawn)
    heads = (VALUES, Head("p", (width,), "linear", POLICY, "policy_head"))
    expected: dict[str, NDArray[Any]] = {
        "value_head": np.tanh(rng.normal(size=(count, 1))),
        "policy_head": rng.normal(size=(count, width)) * 2,
    }
    kinds = gate_positions([("self-play", drawn.first(count // 2)), ("random legal", drawn.first(count // 2))])
    asked = {name: np.concatenate([rows[: count // 2]] * 2) for name, rows in expected.items()}
    readings, results = readings_of(heads, {}), []
    truth = Truth("net.h5, by Keras", expected, dict.fromkeys(expected, 1e-6))
    for file, form, kind, off in artifacts:
        of = expected if kind == "fp32" else asked
        given = {name: rows + rng.normal(size=rows.shape) * off * scale for name, rows in of.items()}
        run = Run(f"{form} 1.0", given)
        if kind == "fp32":
            trace = exact_trace(heads, given, expected, drawn, truth.distances)
            results.append(replace(judge(file, form, run, heads, truth, drawn.legal), trace=trace))
            continue
        listed = Artifact(path=file, format=form, precision=kind)
        gate = Gate(heads, readings, kinds, asked)
        results.append(judge_approximation(listed, gate, run, keep_failing="failing" in file))
    proof = Proof("net", count, drawn.description, truth.by, (), tuple(results), 0, drawn.parts)
    return proof.as_data(traces=True)


def of_game(game: str, count: int = 60, artifacts: tuple[Any, ...] = ARTIFACTS) -> tuple[Data, Data]:
    """The manifest and the proof of a network that plays the game."""
    reading = reading_of(game)
    assert reading.numbering is not None
    width = reading.numbering.width
    return manifest_of(reading, width, artifacts), proof_of(positions(reading, "main_input", count), width, artifacts)


def of_no_game(count: int = 60) -> tuple[Data, Data]:
    """Those of a network of which nobody knows what it plays."""
    boards = np.random.default_rng(0).normal(size=(count, 5)).astype(np.float32)
    drawn = Positions(
        {"main_input": boards}, None, f"{count} distinct random boards, seed 0", 0, parts=(Part(BOARDS, count, count),)
    )
    return manifest_of(None, 6), proof_of(drawn, 6)
