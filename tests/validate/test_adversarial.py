"""Networks whose ONNX file is wrong where play goes and right nearly everywhere else: none of them is called equal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray

from azx.bundle.case.positions import parity_positions
from azx.bundle.case.settings import Settings
from azx.export.checkpoint.read import read_checkpoint
from azx.export.formats.table import FORMATS
from azx.export.graph.freeze import freeze
from azx.games.encoding import encode
from azx.games.known.recognition import recognise
from azx.validate import run as asked
from azx.validate.answers import Answers
from azx.validate.positions import Positions
from azx.validate.proof.proof import ArtifactResult, judge
from azx.validate.proof.truth import Truth, establish
from azx.validate.runners.runner import Signature
from azx.validate.witness.evaluate import evaluate

CELLS = 84
Edit = Callable[[onnx.ModelProto, str], None]


class Sound:
    """A network, its ONNX file, the positions of its proof and what it answers there."""

    def __init__(self, model: Any, folder: Path) -> None:
        import warnings

        folder.mkdir(parents=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.save(folder / "net.h5", save_format="h5")
        self.folder, self.graph = folder, read_checkpoint(folder / "net.h5")
        self.frozen = freeze(self.graph)
        FORMATS["onnx"].write(self.frozen, folder / "net.onnx", opset=17)
        self.heads = self.frozen.outputs
        reading = recognise([(2, 6, 7)], 42)
        assert reading is not None
        self.reading = reading
        self.boards: Positions = parity_positions(self.graph, self.heads, reading, Settings(), 10_000)
        exact = asked.witness(self.graph, self.boards.feeds)
        outputs = dict(zip(exact.outputs, model(next(iter(self.boards.feeds.values()))), strict=True))
        keras = Answers("Keras", {name: np.asarray(output) for name, output in outputs.items()})
        self.truth: Truth = establish(self.heads, keras, exact)

    def verdict(self, edit: Edit | None = None) -> ArtifactResult:
        """The verdict on the file, after an edit of it."""
        model = onnx.load(self.folder / "net.onnx")
        if edit is not None:
            edit(model, self.frozen.inputs[0].name)
        onnx.save(model, self.folder / "edited.onnx")
        ports = Signature(self.frozen.inputs, self.frozen.output_ports)
        feeds = {self.frozen.inputs[0].name: next(iter(self.boards.feeds.values()))}
        run = asked.run_artifact("onnx", self.folder / "edited.onnx", feeds, ports)
        assert not run.problems, run.problems
        return judge("edited.onnx", "onnx", run, self.heads, self.truth, self.boards.legal)

    @property
    def line(self) -> list[NDArray[np.float32]]:
        """The boards of the game of first choices, flat."""
        state, boards = self.reading.start(), []
        policy = next(head.source_name for head in self.heads if head.role == "policy")
        while not state.is_terminal:
            board = encode(state, self.reading.encoding)
            boards.append(board.ravel())
            answers = evaluate(self.graph, {self.graph.inputs[0].name: board[None]})[policy][0]
            legal = list(state.legal_actions())
            state = state.apply(legal[int(np.argmax(answers[legal]))])
        return boards


def dense(
    policy: str = "linear", scale: float = 1.0, on_taken: float = 0.0, bias: float = 0.0, steep: float = 1
) -> Any:
    """A network of one hidden layer: moves scaled, shifted by a `bias`, and by `on_taken` for taken cells."""
    import tf_keras
    from tf_keras import layers

    tf_keras.utils.set_random_seed(3)
    tf_keras.backend.clear_session()
    board = layers.Input((2, 6, 7), name="main_input")
    flat = layers.Flatten()(board)
    hidden = layers.Dense(24, activation="tanh")(flat)
    value = layers.Dense(1, activation="tanh", name="value_head")(hidden)
    moves = layers.Dense(42, activation=policy, name="policy_head")(layers.Concatenate()([hidden, flat]))
    model = tf_keras.Model(board, [value, moves])
    kernel, offset = model.get_layer("policy_head").get_weights()
    kernel *= scale
    for cell in range(42):
        kernel[[24 + cell, 24 + 42 + cell], cell] += on_taken
    model.get_layer("policy_head").set_weights([kernel, offset + bias])
    kernel, offset = model.get_layer("value_head").get_weights()
    model.get_layer("value_head").set_weights([kernel * steep, offset])
    return model


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Sound]:
    """The network of these options, made once."""
    made: dict[str, Sound] = {}

    def make(**options: Any) -> Sound:
        key = str(options)
        if key not in made:
            made[key] = Sound(dense(**options), tmp_path_factory.mktemp("adversarial") / "net")
        return made[key]

    return make


class Editor:
    """Nodes that are added to a graph between a head and who reads it."""

    def __init__(self, model: onnx.ModelProto, board: str, head: str) -> None:
        self.graph, self.head, self.was, self.count = model.graph, head, f"{head} sound", 0
        for node in self.graph.node:
            node.output[:] = [self.was if name == head else name for name in node.output]
            node.input[:] = [self.was if name == head else name for name in node.input]
        self.flat = self.add("Reshape", board, self.put([-1, CELLS], "int64"))

    def put(self, value: Any, kind: str = "float32") -> str:
        self.count += 1
        self.graph.initializer.append(onnx.numpy_helper.from_array(np.asarray(value, kind), f"constant {self.count}"))
        return f"constant {self.count}"

    def add(self, kind: str, *inputs: str, **more: Any) -> str:
        self.count += 1
        self.graph.node.append(onnx.helper.make_node(kind, inputs, [f"added {self.count}"], **more))
        return f"added {self.count}"

    def answer(self, condition: str, changed: str) -> None:
        """Let the head answer `changed` where the condition holds, and otherwise as it did."""
        self.graph.node.append(onnx.helper.make_node("Where", [condition, changed, self.was], [self.head]))

    def times(self, factor: float | NDArray[Any]) -> str:
        return self.add("Mul", self.was, self.put(factor))

    def reaches(self, columns: NDArray[Any], least: Any) -> str:
        """Whether the board's product with one of the columns (84, n) is as large as its `least`, whole numbers."""
        product = self.add("MatMul", self.flat, self.put(np.float32(columns).reshape(CELLS, -1)))
        over = self.add("Sub", product, self.put(np.float32(least) - np.float32(0.5)))
        return self.add("Greater", self.add("ReduceMax", over, axes=[1], keepdims=1), self.put(0))


def on(head: str, columns: NDArray[Any], least: Any, factor: float) -> Edit:
    """The head times `factor` on the boards that reach `least`."""

    def edit(model: onnx.ModelProto, board: str) -> None:
        editor = Editor(model, board, head)
        editor.answer(editor.reaches(columns, least), editor.times(factor))

    return edit


def on_symmetric_boards(model: onnx.ModelProto, board: str) -> None:
    editor = Editor(model, board, "value_head")
    mirrored = np.flip(np.arange(CELLS).reshape(2, 6, 7), axis=2).ravel()
    other = editor.add("Gather", editor.flat, editor.put(mirrored, "int64"), axis=1)
    apart = editor.add("ReduceSum", editor.add("Abs", editor.add("Sub", editor.flat, other)), editor.put([1], "int64"))
    editor.answer(editor.add("Less", apart, editor.put(0.5)), editor.times(-1))


def on_what_is_below(head: str, size: float, changed: Callable[[Editor], str]) -> Edit:
    """The head as `changed` has it where its own answer is smaller than `size`."""

    def edit(model: onnx.ModelProto, board: str) -> None:
        editor = Editor(model, board, head)
        editor.answer(editor.add("Less", editor.add("Abs", editor.was), editor.put(size)), changed(editor))

    return edit


def everywhere(head: str, factors: NDArray[Any]) -> Edit:
    def edit(model: onnx.ModelProto, board: str) -> None:
        editor = Editor(model, board, head)
        editor.answer(editor.put([True], "bool"), editor.times(factors))

    return edit


def exactly(boards: list[NDArray[np.float32]]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Columns (84, n) whose product reaches the second (n,) on one board each alone."""
    columns = np.stack([2 * board - 1 for board in boards], axis=1)
    return columns, np.array([board.sum() for board in boards], np.float32)


ONES, OTHER, MIDDLE = np.ones(CELLS), np.repeat([-1.0, 1.0], 42), np.zeros((2, 6, 7))
MIDDLE[0, :, 3] = 1
SIGNS = np.where(np.arange(42) % 2, 1.0, -1.0)
ON_TAKEN = {"policy": "softmax", "on_taken": 18.0}


@pytest.mark.parametrize("options", [{}, ON_TAKEN, {"bias": 1000.0}, {"scale": 3000.0}, {"steep": 30.0}], ids=str)
def test_the_sound_file_is_called_equal(sound: Callable[..., Sound], options: dict[str, Any]) -> None:
    verdict = sound(**options).verdict()
    assert verdict.passed, verdict.sentences


@pytest.mark.parametrize(
    ("options", "edit"),
    [
        pytest.param({}, on("value_head", OTHER, 1, -1), id="one colour"),
        pytest.param({}, on("value_head", ONES, 32, -1), id="late endgames"),
        pytest.param({}, on("policy_head", MIDDLE, 4, -1), id="a plane that is rarely set"),
        pytest.param({}, on("value_head", ONES, 35, np.nan), id="NaN in rare positions"),
        pytest.param({}, on_symmetric_boards, id="symmetric boards alone"),
        pytest.param(
            ON_TAKEN,
            on_what_is_below("policy_head", 1e-4, lambda editor: editor.add("Div", editor.put(1e-15), editor.was)),
            id="mass on illegal moves, preferences of the legal ones turned round",
        ),
        pytest.param({"bias": 1000.0}, everywhere("policy_head", 1 + 4e-6 * SIGNS), id="near ties"),
        pytest.param({"scale": 3000.0}, everywhere("policy_head", 1 + 8e-6 * SIGNS), id="a huge range"),
        pytest.param(
            {"steep": 30.0},
            on_what_is_below("value_head", 0.3, lambda editor: editor.times(-1)),
            id="a value that is nearly always saturated",
        ),
    ],
)
def test_a_file_that_is_wrong_where_play_goes_is_not_called_equal(
    sound: Callable[..., Sound], options: dict[str, Any], edit: Edit
) -> None:
    assert not sound(**options).verdict(edit).passed


def test_a_value_that_is_wrong_along_one_line_alone_is_not_called_equal(sound: Callable[..., Sound]) -> None:
    plain = sound()
    columns, least = exactly(plain.line[6:])
    verdict = plain.verdict(on("value_head", columns, least, -1))
    assert not verdict.passed
    # Random positions alone do not see it.
    random = plain.boards.random
    seen = (next(iter(random.feeds.values())).reshape(len(random), -1) @ columns >= least).any(axis=1).sum()
    assert seen == 0
