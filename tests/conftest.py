"""Fixtures that more than one test file needs."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import warnings
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import cloudpickle
import pytest
from azx_commands import kept_workers, run_azx, run_in_a_process

REPOSITORY = Path(__file__).resolve().parent.parent

# The folders of the tests that take longest.
LONGEST = ("kills", "watch", "sweeps", "match")

# Where a test asks Keras itself, it asks it layer by layer: TensorFlow has channels_first for that by oneDNN alone,
# which it leaves off on processors without AVX-512. azx does without (`validate/reference.py`), and test_every_machine
# tests both.
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "1")
# Beside other tests a second thread of NumPy's waits for its turn at full speed: six times the processor time. NumPy
# reads it when it is imported, which nothing above does.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The folders that take longest begin, else one of their files would be left alone at the end.

    AZX_SHARD=1/2 runs the tests of every second file, from the first on. AZX_WHOLE=1/5 runs all quick tests and a
    fifth of those marked `whole`: the first of five, which together run each test.
    """
    items.sort(key=lambda item: item.path.parent.name not in LONGEST)
    number, count = (int(part) for part in os.environ.get("AZX_SHARD", "1/1").split("/"))
    files = {path: at for at, path in enumerate(sorted({item.path for item in items}))}
    left_out = {item for item in items if files[item.path] % count != number - 1}
    if share := os.environ.get("AZX_WHOLE"):
        left_out |= {item for item in items if item.get_closest_marker("whole") and not is_of(share, item.nodeid)}
    if left_out:
        config.hook.pytest_deselected(items=[item for item in items if item in left_out])
        items[:] = [item for item in items if item not in left_out]


def is_of(share: str, test: str) -> bool:
    """Whether a test of the whole ring belongs to a share such as 1/5, by its name alone: on every machine the same."""
    number, count = (int(part) for part in share.split("/"))
    return zlib.crc32(test.encode()) % count == number - 1


@pytest.fixture(scope="session")
def repository() -> Path:
    """The checkout that these tests lie in."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real checkpoints beside the checkout; AZX_SHARED_DATA names another place."""
    folder = Path(os.environ.get("AZX_SHARED_DATA", REPOSITORY.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"the folder of real checkpoints, {folder}, is not there")
    return folder


@pytest.fixture(scope="session", autouse=True)
def workers_stay_loaded() -> Iterator[None]:
    """Exports and proofs of this process start no processes of their own: TensorFlow is loaded once a session."""
    with kept_workers():
        yield


@pytest.fixture(scope="session")
def run_in(workers_stay_loaded: None) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs `azx ARGUMENTS` in a folder: run_in(folder, *arguments)."""
    run: Callable[..., subprocess.CompletedProcess[str]] = run_azx
    return run


@pytest.fixture
def azx(tmp_path: Path, request: pytest.FixtureRequest) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs `azx ARGUMENTS` in the test's own folder; a traceback or a warning on standard error fails the test.

    A smoke test also asks what an installed wheel does, in a process of its own.
    """
    is_smoke = request.node.get_closest_marker("smoke") is not None
    return partial(run_in_a_process if is_smoke else run_azx, tmp_path)


def board_network(value: str, policy: str) -> Any:
    """A Connect4 network in small: channels_first, a residual block, Flatten and Dense in both heads."""
    import tf_keras
    from tf_keras import layers

    tf_keras.utils.set_random_seed(5)
    tf_keras.backend.clear_session()  # layers are numbered from 1 again, whatever other tests built

    def convolved(x: Any, filters: int, size: int) -> Any:
        x = layers.Conv2D(filters, size, padding="same", data_format="channels_first", use_bias=False)(x)
        spread = {"moving_mean_initializer": tf_keras.initializers.RandomNormal(stddev=0.2)}
        return layers.BatchNormalization(axis=1, **spread)(x)

    def flat(x: Any, filters: int) -> Any:
        return layers.Flatten(data_format="channels_first")(layers.LeakyReLU(0.3)(convolved(x, filters, 1)))

    board = layers.Input((2, 6, 7), name="main_input")
    x = layers.LeakyReLU(0.3)(convolved(board, 8, 4))
    x = layers.LeakyReLU(0.3)(layers.add([x, convolved(layers.LeakyReLU(0.3)(convolved(x, 8, 3)), 8, 3)]))
    hidden = layers.LeakyReLU(0.3)(layers.Dense(10)(flat(x, 3)))
    heads = [layers.Dense(1, activation="tanh", name=value)(hidden), layers.Dense(42, name=policy)(flat(x, 4))]
    return tf_keras.Model(board, heads)


def save_h5(model: Any, path: Path) -> Path:
    """Save as a legacy .h5, without what tf_keras says about it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path.parent.mkdir(parents=True, exist_ok=True)
        model.save(path, save_format="h5")
    return path


@pytest.fixture(scope="session")
def small_checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small network that tf_keras saved, under a path with spaces and letters that ASCII lacks."""
    folder = tmp_path_factory.mktemp("saved") / "größere Netze"
    return save_h5(board_network("value_head", "policy_head"), folder / "small net é.h5")


@pytest.fixture(scope="session")
def renamed_checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small network with heads of other names."""
    return save_h5(board_network("dense_v", "pi"), tmp_path_factory.mktemp("renamed") / "renamed.h5")


@pytest.fixture(scope="session")
def small_bundle(small_checkpoint: Path, workers_stay_loaded: None) -> Path:
    """The small network in every format that can be written here; to be copied, not changed."""
    done = run_azx(small_checkpoint.parent, "export", small_checkpoint)
    assert done.returncode == 0, done.stderr
    return small_checkpoint.parent / "bundles" / "small net é"


class Here:
    """Workers whose tasks run in this process, each once for the same arguments."""

    def __init__(self) -> None:
        self.done: dict[bytes, Future[Any]] = {}

    def light(self, task: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """The task's future, done."""
        from azx.system.workers import run_shielded

        key = hashlib.sha256(cloudpickle.dumps((task, arguments))).digest()
        if key not in self.done:
            future: Future[Any] = Future()
            try:
                future.set_result(run_shielded(task, *arguments))
            except Exception as error:
                future.set_exception(error)
            self.done[key] = future
        return self.done[key]

    tensorflow = light


@pytest.fixture(scope="session")
def here() -> Any:
    """Workers in this process."""
    return Here()


# Python imports a sitecustomize by itself, in the workers too.
HIDING = """
from importlib.machinery import PathFinder
hidden, find = {hidden!r}, PathFinder.find_spec
PathFinder.find_spec = lambda name, *rest: None if name.split(".")[0] in hidden else find(name, *rest)
"""


@pytest.fixture
def without(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., dict[str, str]]:
    """An environment in which some packages, by the names of their modules, are not installed."""

    def environment(*packages: str) -> dict[str, str]:
        folder = tmp_path_factory.mktemp("site")
        (folder / "sitecustomize.py").write_text(HIDING.format(hidden=packages), encoding="utf8")
        path = os.environ.get("PYTHONPATH")
        return {"PYTHONPATH": os.pathsep.join([str(folder), *([path] if path else [])])}

    return environment


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, but for the note of the last bundle."""
    files = (path for path in folder.rglob("*") if path.is_file() and ".state" not in path.parts)
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def entries(folder: Path) -> set[str]:
    """Everything in a folder, hidden or not, but for the note of the last bundle."""
    return {path.name for path in folder.iterdir()} - {".state"}


@contextmanager
def nothing_left(folder: Path) -> Iterator[None]:
    """No file or folder comes, goes or changes."""
    before, named = contents(folder), entries(folder)
    yield
    assert contents(folder) == before
    assert entries(folder) == named


def sentence(done: subprocess.CompletedProcess[str], code: int = 1) -> str:
    """The one sentence after the progress; the exit code is as told and nothing went to standard output."""
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    *progress, last = done.stderr.splitlines()
    assert all(line.startswith(("Exporting ", "Validating", "Reporting: ")) for line in progress), done.stderr
    assert last.startswith("Error: ")
    return last.removeprefix("Error: ")


@pytest.fixture
def checkpoint(small_checkpoint: Path, tmp_path: Path) -> Path:
    """A copy of the small network, alone in a folder with spaces and letters that ASCII lacks."""
    folder = tmp_path / "Eigene Netze é"
    folder.mkdir()
    return Path(shutil.copy(small_checkpoint, folder / "net.h5"))


@pytest.fixture
def bundle(small_bundle: Path, tmp_path: Path) -> Path:
    """A copy of the small network's bundle."""
    return Path(shutil.copytree(small_bundle, tmp_path / "bundles" / "small net é"))


class Check:
    """The helpers above, for tests, which cannot import a conftest."""

    contents = staticmethod(contents)
    entries = staticmethod(entries)
    nothing_left = staticmethod(nothing_left)
    sentence = staticmethod(sentence)
    save_h5 = staticmethod(save_h5)


@pytest.fixture(scope="session")
def check() -> Any:
    """What a command said and left behind."""
    return Check
