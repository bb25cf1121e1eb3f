"""Train the tic-tac-toe reference checkpoint from minimax: `python -m azx.training.tictactoe`.

Every reachable position with a player to move is an example (4,520 of them). So all eight symmetries of each occur.
Policy target: only moves that keep the result under perfect play have a share. It is larger the more losing replies a
move leaves the opponent. Among equals the lower number gets somewhat more, so that exactly one move is best.
Minimax's own answer, `best_move`, is the argmax of the target.
"""

from __future__ import annotations

import os
import time
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...games.rules.tictactoe import CELLS, TicTacToe
from .. import legacy_file, recipe
from .strength import ANSWER, ASKED, count_results

HIDDEN = 81
# How much each losing reply adds to a move's target, and how much the first of equal moves is ahead of the next.
REPLY_FACTOR, ORDER_FACTOR = 4.0, 1.5
Floats = NDArray[np.float32]


@cache
def value(state: TicTacToe) -> int:
    """The result for the mover under perfect play, +1, 0 or -1."""
    if state.is_terminal:
        return int(state.returns()) * (1 - 2 * state.to_move)
    return max(-value(state.apply(action)) for action in state.legal_actions())


def good_moves(state: TicTacToe) -> dict[int, int]:
    """The moves that keep the result, and how many losing replies each leaves the opponent."""
    after = {action: state.apply(action) for action in state.legal_actions()}
    keeping = {action: one for action, one in after.items() if -value(one) == value(state)}
    return {a: sum(value(one.apply(reply)) == 1 for reply in one.legal_actions()) for a, one in keeping.items()}


def best_move(state: TicTacToe) -> int:
    """Minimax's move: of those that keep the result and leave the most losing replies, the lowest."""
    good = good_moves(state)
    return max(good, key=lambda action: (good[action], -action))


def target(state: TicTacToe) -> Floats:
    """The share of each action, float32 (9,)."""
    shares = np.zeros(CELLS, dtype=np.float64)
    good = good_moves(state)
    for action, replies in good.items():
        before = sum(good[other] == replies for other in good if other < action)
        shares[action] = REPLY_FACTOR**replies * ORDER_FACTOR**-before
    return np.asarray(shares / shares.sum(), dtype=np.float32)


def reachable() -> list[TicTacToe]:
    """Every unfinished position, each once, the empty board first."""
    states = {TicTacToe(): None}
    for state in (queue := list(states)):
        for after in map(state.apply, state.legal_actions()):
            if not after.is_terminal and after not in states:
                states[after] = None
                queue.append(after)
    return list(states)


def build() -> Any:
    """The untrained network: `main_input` (9,), 81 sigmoid units, `policy_head` of 9 logits."""
    import tf_keras

    board = tf_keras.layers.Input((CELLS,), name="main_input")
    hidden = tf_keras.layers.Dense(HIDDEN, activation="sigmoid")(board)
    policy = tf_keras.layers.Dense(CELLS, activation="linear", name="policy_head")(hidden)
    return tf_keras.Model(board, policy, name="tictactoe")


def softmax_cross_entropy_with_logits(y_true: Any, y_pred: Any) -> Any:
    """The policy's loss, shapes (N, 9)."""
    import tensorflow as tf

    return tf.nn.softmax_cross_entropy_with_logits(labels=y_true, logits=y_pred)


def train(seed: int, steps: int, rate: float) -> Any:
    """A network trained on all positions at every step."""
    import tensorflow as tf
    import tf_keras

    tf_keras.utils.set_random_seed(seed)
    states = reachable()
    boards, targets = np.stack([s.encode() for s in states]), np.stack([target(s) for s in states])
    model = build()
    optimizer = tf_keras.optimizers.Adam(tf_keras.optimizers.schedules.CosineDecay(rate, steps))
    optimizer.build(model.trainable_variables)

    def train_step() -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(softmax_cross_entropy_with_logits(targets, model(boards)))
        optimizer.apply_gradients(
            zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables, strict=True)
        )
        return loss

    step = tf.function(train_step)
    for number in range(1, steps + 1):
        loss = step()
        if number % (steps // 10) == 0:
            print(f"step {number:,}: cross-entropy {float(loss):.4f}", flush=True)
    return model


def moves(model: Any) -> dict[TicTacToe, int]:
    """The legal move with the largest logit in every position."""
    states = reachable()
    logits = model(np.stack([state.encode() for state in states])).numpy()
    return {s: max(s.legal_actions(), key=row.__getitem__) for s, row in zip(states, logits, strict=True)}


def good_enough(model: Any) -> bool:
    """Whether the policy never loses and answers the known position with 6; prints the figures."""
    chosen = moves(model)
    keeps = [action in good_moves(state) for state, action in chosen.items()]
    as_minimax = [action == best_move(state) for state, action in chosen.items()]
    print(f"keeps the result in {sum(keeps):,} of {len(keeps):,} positions, minimax's move in {sum(as_minimax):,}")
    lines = [count_results(chosen.__getitem__, side) for side in (0, 1)]
    for side, results in enumerate(lines):
        print(f"as player {side}: {results.total():,} lines of play, {results[-1]:,} lost")
    print(f"the known position is answered with {chosen[ASKED]}")
    return not any(results[-1] for results in lines) and chosen[ASKED] == ANSWER


def main() -> None:
    """Train, again with the next seed while the network is not good enough, and write the checkpoint."""
    options = recipe.options_of("tictactoe", steps=8000, rate=0.02, attempts=5).parse_args()
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    start = time.monotonic()
    for seed in range(options.seed, options.seed + options.attempts):
        model = train(seed, options.steps, options.rate)
        if good_enough(model):
            legacy_file.save(model, options.output, {"policy_head": softmax_cross_entropy_with_logits})
            print(f"written: {options.output}, seed {seed}, {time.monotonic() - start:.0f} seconds", flush=True)
            return
    raise SystemExit(f"No network of {options.attempts} seeds is good enough, try more --steps.")


if __name__ == "__main__":
    main()
