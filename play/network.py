"""A network in any runtime as a search's evaluator: boards in, value and policy out.

with open_network("bundles/connect4/connect4.onnx") as network:
    Search(network.reading.start(), network).run(200)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..bundle.case.checkpoint import Checkpoint
from ..bundle.case.cost import multiply_adds_of_file
from ..bundle.case.reading import shipped_reading
from ..bundle.contents.shipped_search import confirmed_search
from ..errors import AzxError, BundleError, GameError, first_line
from ..export.checkpoint.digest import sha256
from ..export.checkpoint.head import POLICY, UNKNOWN, VALUE
from ..export.graph.names import Names
from ..games.encoding import encode_all, is_turned, split_inputs, turned_actions
from ..games.evaluator import Evaluation
from ..games.game import Reading
from ..games.policy import LOGITS, policy_range
from ..games.random_play import generator, positions_of_a_game
from ..games.search_settings import SearchSettings, read_settings
from ..games.state import State
from ..games.symmetry import symmetries
from ..games.value import ORDER, ValueReading, known_owner, reading_of_value
from ..manifest import Search
from ..system.quietly import quietly
from ..validate.reading.budget import WHOLE, boards_within
from ..validate.reading.probe import detect_encoding
from ..validate.runners.runner import Runner, Tensors
from .network_files import find_network
from .network_ports import UNSAID, Ports, reading_of
from .remembered import RememberedAnswers

# Core ML's free batch ends here, and no runtime gains from more.
LARGEST_BATCH = 64
SYMMETRIES = ("none", "random")
# TensorFlow reads these when it is first imported or first runs. The boards are small: a second thread only waits.
_ENVIRONMENT = {
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "CUDA_VISIBLE_DEVICES": "-1",
    "TF_NUM_INTRAOP_THREADS": "1",
    "TF_NUM_INTEROP_THREADS": "1",
}

# Readings that a probe detected, by file, time of its last change, and game.
_ASKED: dict[tuple[Path, int, str], Reading] = {}


class NetworkEvaluator:
    """A running network as an `azx.games.evaluator.Evaluator`; made by `open_network`.

    `name` is its file's name, `runtime` what runs it, `reading` the game as it reads it. `value` says how to read its
    value, None without one. `in_process` and `stands_in` are its runner's.
    """

    def __init__(
        self,
        path: Path,
        runner: Runner,
        ports: Ports,
        reading: Reading,
        symmetry: str = "none",
        seed: int = 0,
        search: Mapping[str, Any] | None = None,
    ) -> None:
        self._search = search
        self.name, self.runtime, self.reading = path.name, runner.runtime, reading
        self.in_process, self.stands_in = runner.in_process, runner.stands_in
        self._runner, self._ports = runner, ports
        self._batch = runner.signature().inputs[0].shape[0]
        state = reading.start()
        self._index = reading.indices(state) if reading.numbering else None
        self._turned = turned_actions(state.board, state.actions) if reading.encoding.turned else None
        self._symmetries = symmetries(reading.game.turns, reading.encoding, state.actions)
        self._rng = np.random.default_rng(seed) if symmetry == "random" else None
        self._memory: RememberedAnswers | None = None
        self.value = _value_reading(ports, reading)
        # The first run is slow, and it is the one that reveals a damaged file.
        self._run(encode_all((state,), reading.encoding))
        self._logits = self._policy_range() == LOGITS

    @property
    def search(self) -> SearchSettings:
        """The search that its bundle asks for; GameError if azx does not know that search."""
        return read_settings(self._search, self.name)

    @contextmanager
    def remembering(self) -> Iterator[None]:
        """While the block runs, ask the network each board only once, also if a batch has it twice.

        Batches may therefore be smaller, and the last digits of the answers, which may depend on the batch, may differ.
        With random symmetries each board is asked every time, because each time a new symmetry is drawn.
        """
        if self._rng is not None or self._memory is not None:
            yield
            return
        self._memory = RememberedAnswers(self._run)
        try:
            yield
        finally:
            self._memory = None

    def evaluate(self, states: Sequence[State]) -> list[Evaluation]:
        """An answer for each state, none of which may be over; the policy is numbered like the game's actions.

        The value is the mover's, in [-1, 1], however the network states its own (`azx.games.value`). It is 0 for a
        network without a value head. The policy is None for a network without one.
        """
        if not states:
            return []
        boards = encode_all(states, self.reading.encoding)
        turns = [] if self._rng is None else self._rng.integers(len(self._symmetries), size=len(states)).tolist()
        for row, turn in enumerate(turns):
            boards[row] = boards[row].ravel()[self._symmetries[turn].cells].reshape(boards[row].shape)
        answers = self._memory.run(boards) if self._memory else self._run(boards)
        values, policies = self._values(answers, states), self._policies(answers, len(states))
        if policies is None:
            return [Evaluation(value) for value in values]
        for row, turn in enumerate(turns):
            policies[row] = policies[row, self._symmetries[turn].actions]
        if self._turned is not None:
            second = [row for row, state in enumerate(states) if is_turned(state, self.reading.encoding)]
            policies[second] = policies[second][:, self._turned]
        return [Evaluation(value, policy, self._logits) for value, policy in zip(values, policies, strict=True)]

    def _run(self, boards: NDArray[np.float32]) -> Tensors:
        feeds = split_inputs(boards, self._ports.by_name)
        if self._batch is not None and self._batch != len(boards):
            return self._runner.run(feeds)
        if len(boards) <= LARGEST_BATCH or self._batch is not None:
            return self._runner.run_batch(feeds)
        return _in_parts(self._run, boards)

    def _values(self, answers: Tensors, states: Sequence[State]) -> list[float]:
        if self._ports.value is None or self.value is None:
            return [0.0] * len(states)
        outputs = answers[self._ports.value.name].reshape(len(states), -1)
        numbers: list[float] = self.value.seen_by_mover(outputs, [state.to_move for state in states]).tolist()
        return numbers

    def _policies(self, answers: Tensors, count: int) -> NDArray[np.floating] | None:
        """(count, actions), numbered like the game's actions."""
        if self._ports.policy is None or self._index is None:
            return None
        policies: NDArray[np.floating] = answers[self._ports.policy.name].reshape(count, -1)[:, self._index]
        return policies

    def _policy_range(self) -> str | None:
        """Logits or probabilities, None without a policy; if nothing states it, a game's positions decide once."""
        policy = self._ports.policy
        if policy is None:
            return None
        if policy.stated_range or policy.activation != UNKNOWN:
            return policy.policy_range
        states = positions_of_a_game(self.reading.start(), generator(0), LARGEST_BATCH)
        answers = self._run(encode_all(states, self.reading.encoding))
        return policy_range(UNKNOWN, answers[policy.name])


def _in_parts(run: Callable[[NDArray[np.float32]], Tensors], boards: NDArray[np.float32]) -> Tensors:
    """The answers to the boards; `run` gets at most LARGEST_BATCH at a time."""
    parts = [run(boards[at : at + LARGEST_BATCH]) for at in range(0, len(boards), LARGEST_BATCH)]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


@contextmanager
def open_network(
    net: str | Path | Checkpoint,
    *,
    game: str | None = None,
    encoding: Path | None = None,
    names: Names = UNSAID,
    symmetry: str = "none",
    seed: int = 0,
) -> Iterator[NetworkEvaluator]:
    """Open a network for playing.

    Args:
        net: a shipped checkpoint's name, a checkpoint, an artifact of any format, or a bundle's folder. A `Checkpoint`
            says how to read it, if it is one.
        game: its game, if the shapes do not determine it.
        encoding: what the network reads: a file, or a name (see `azx.bundle.case.reading.described_reading`).
        names: the outputs that are value and policy, if names and shapes do not identify them.
        symmetry: "random" reads each state under a random symmetry of its board, and turns the policy back.
        seed: the seed of the symmetries.

    Raises:
        AzxError: with one sentence. CheckpointError or BundleError if the file is missing or
            damaged, GameError if the network and the game do not fit.

    A checkpoint runs in TensorFlow, with one thread, from the graph that `azx export` writes.

    """
    for name, value in _ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    file = find_network(net, names)
    with ExitStack() as stack:
        with quietly():
            runner, ports = file.open(stack)
            settle = partial(_detect_encoding, file.path, runner, ports)
            reading = reading_of(file.path, file.manifest, ports, game, encoding, settle)
            settings = file.manifest.search if file.manifest else _confirmed_search(file.path, reading)
            search = settings.as_data() if settings else None
            network = _evaluator(file.path, runner, ports, reading, symmetry, seed, search)
        yield network


def _detect_encoding(path: Path, runner: Runner, ports: Ports, reading: Reading) -> Reading:
    """The detected encoding of the network. It is detected once per file, because a match opens a file many times."""
    place = path.resolve()
    key = (place, place.stat().st_mtime_ns, reading.game.name)
    if key not in _ASKED:
        value = ports.value if ports.value and ports.value.width in (1, len(ORDER)) else None
        heads = {role: head for role, head in ((POLICY, ports.policy), (VALUE, value)) if head}
        names = {role: head.name for role, head in heads.items()}

        def ask(boards: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
            answers = _in_parts(lambda part: runner.run(split_inputs(part, ports.by_name)), boards)
            return {role: answers[name] for role, name in names.items()}

        work = ports.multiply_adds or multiply_adds_of_file(path, ports.shapes)
        boards = boards_within(WHOLE, work)
        with _name_failures(path):
            _ASKED[key] = _shipped(path, reading) or detect_encoding(
                reading, ask, {role: head.width for role, head in heads.items()}, boards
            )
    return _ASKED[key]


def _shipped(path: Path, reading: Reading) -> Reading | None:
    """The reading of a checkpoint that azx ships; None for any other file."""
    return shipped_reading(reading, sha256(path)) if path.is_file() and path.suffix == ".h5" else None


def _confirmed_search(path: Path, reading: Reading) -> Search | None:
    """The search that games confirmed for a checkpoint that azx ships; None for any other file."""
    if not path.is_file() or path.suffix != ".h5":
        return None
    tuned = confirmed_search(sha256(path), reading.game.name)
    return tuned.search if tuned else None


@contextmanager
def _name_failures(path: Path) -> Iterator[None]:
    """BundleError, which names the file, if a network does not run."""
    try:
        yield
    except AzxError:
        raise
    except Exception as error:  # runtimes raise exceptions of any type for a graph that does not fit
        reason = f"{type(error).__name__}: {first_line(error)[:200]}"
        raise BundleError(f"'{path}' does not run ({reason}): export its checkpoint again.") from error


def _evaluator(
    path: Path,
    runner: Runner,
    ports: Ports,
    reading: Reading,
    symmetry: str,
    seed: int,
    search: Mapping[str, Any] | None,
) -> NetworkEvaluator:
    try:
        _value_reading(ports, reading)
    except GameError as error:
        raise GameError(f"'{path}': {error}") from error
    if symmetry not in SYMMETRIES:
        raise GameError(f"symmetry '{symmetry}' is unknown, use {' or '.join(SYMMETRIES)}.")
    if symmetry == "random" and len(reading.game.turns) == 1:
        raise GameError(f"{reading.game.title} networks are read as the board lies: leave --symmetry out.")
    with _name_failures(path):
        return NetworkEvaluator(path, runner, ports, reading, symmetry, seed, search)


def _value_reading(ports: Ports, reading: Reading) -> ValueReading | None:
    """How to read the value, None without one; an order given by the user takes precedence over the manifest's."""
    head = ports.value
    if head is None:
        return None
    order = reading.value_order or ports.order
    whose = known_owner(head.width, order, reading.encoding.value)
    return reading_of_value(head.width, head.activation, ports.value_range, order, whose)
