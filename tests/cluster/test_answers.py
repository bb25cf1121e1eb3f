"""What a sweep makes of its workers' answers: other versions, lost workers, and bundles that are none."""

from __future__ import annotations

import hashlib
import json
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from cluster_here import Here

from azx.bundle.case.checkpoint import Checkpoint
from azx.bundle.case.settings import as_settings
from azx.bundle.contents.listing import text_of_listing
from azx.bundle.contents.manifest import LISTING, load_manifest, read_manifest
from azx.cli import cli
from azx.cluster import cluster as clusters
from azx.cluster.cluster import Cluster, ClusterError, Lost
from azx.cluster.parcel import files_in, pack, unpack
from azx.cluster.versions import versions
from azx.sweeps import remote
from azx.sweeps.outcome import FAILED, PROVED, Outcome, of_bundle
from azx.sweeps.recipe import Recipe
from azx.sweeps.sources import Item
from azx.sweeps.sweep import SilentWatcher, Sweep, Watcher, sweep

FORMATS = ("onnx", "tflite")


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Here:
    """The cluster of every sweep."""
    here = Here()

    class Connected:
        def __enter__(self) -> Here:
            here.check_versions()
            return here

        def __exit__(self, *error: object) -> None:
            pass

    monkeypatch.setattr(clusters, "connect", lambda backend, scheduler: Connected())
    return here


@pytest.fixture
def exports(monkeypatch: pytest.MonkeyPatch, small_bundle: Path) -> list[dict[str, Any]]:
    """The options of each export in a worker, which copies the small network's bundle instead of making it."""
    asked: list[dict[str, Any]] = []

    def exported(item: Item, workers: object, output: Path, on_step: object, recipe: Recipe) -> Outcome:
        asked.append({**vars(recipe.settings), "checkpoint": item.checkpoint.read_bytes()})
        assert recipe.settings.report is False, "the page is drawn at home"
        shutil.copytree(small_bundle, output / item.name, ignore=shutil.ignore_patterns("report.html"))
        return of_bundle(item, PROVED, output / item.name, seconds=1.5)

    monkeypatch.setattr(remote, "export_item", exported)
    return asked


@pytest.fixture
def runs(tmp_path: Path, small_checkpoint: Path) -> Iterator[Path]:
    """A folder with the small network under two names, in which the tests run; each of them is asked for here."""
    for name in ("one", "two"):
        (tmp_path / "runs" / name).mkdir(parents=True)
        shutil.copy(small_checkpoint, tmp_path / "runs" / name / small_checkpoint.name)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        patch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
        patch.setattr("azx.sweeps.sweep.find_twins", lambda *_: {})
        yield tmp_path


def swept(
    like: Checkpoint | None = None, watcher: Watcher | None = None, *, verify: bool = False, **options: Any
) -> Sweep:
    recipe = Recipe(like or Checkpoint(), as_settings(formats=FORMATS, **options), verify)
    return sweep(["runs/*/*.h5"], recipe, output=Path("bundles"), backend="dask", watcher=watcher)


def messages(done: Sweep) -> set[str]:
    assert not list(Path("bundles").glob("*net*"))
    assert {path.name for path in Path("bundles").glob(".*")} == set()
    return {outcome.message for outcome in done.outcomes}


def test_bundles_come_back_and_are_not_made_again(runs: Path, cluster: Here, exports: list[dict[str, Any]]) -> None:
    done = swept()
    assert [outcome.status for outcome in done.outcomes] == ["proved", "proved"]
    assert [outcome.seconds for outcome in done.outcomes] == [1.5, 1.5]
    for outcome in done.outcomes:
        assert outcome.folder is not None
        load_manifest(outcome.folder)
    assert [outcome.status for outcome in swept().outcomes] == ["kept", "kept"]
    assert len(exports) == 2


def test_a_file_that_an_option_names_is_sent_once(runs: Path, cluster: Here, exports: list[dict[str, Any]]) -> None:
    Path("positions.npz").write_bytes(b"positions")
    swept(inputs=Path("positions.npz"), seed=3)
    assert len(cluster.put) == 1
    assert [options["inputs"].name for options in exports] == ["positions.npz"] * 2
    assert [options["seed"] for options in exports] == [3, 3]


def test_a_worker_of_other_versions_is_named_before_anything_is_done(
    runs: Path, cluster: Here, exports: list[dict[str, Any]]
) -> None:
    cluster.others = versions() | {"azx": "0.0.9"}
    with pytest.raises(ClusterError, match=r"The worker tcp://two has other versions: azx 0\.0\.9 \(here \d"):
        swept()
    assert exports == []


def test_a_worker_without_azx_is_named(runs: Path, cluster: Here) -> None:
    cluster._everywhere = lambda function: {"tcp://one": ModuleNotFoundError("No module named 'azx'")}
    with pytest.raises(ClusterError, match=r"The worker tcp://one cannot run azx \(ModuleNotFoundError"):
        swept()


def test_a_worker_of_other_versions_that_came_later_ends_the_sweep(
    runs: Path, cluster: Here, exports: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "versions", lambda: versions() | {"azx": "0.0.9"})
    with pytest.raises(ClusterError, match=r"has other versions: azx 0\.0\.9"):
        swept()
    assert exports == []
    assert cluster.cancelled == 1


def test_what_no_worker_finished_is_that_checkpoints_failure(
    runs: Path, cluster: Here, exports: list[dict[str, Any]]
) -> None:
    cluster.answer = lambda data: Lost("4 workers that ran it were lost, one after another")
    assert messages(swept()) == {"No worker finished it: 4 workers that ran it were lost, one after another."}


def test_a_cluster_without_workers_is_not_waited_for_for_ever(
    runs: Path, cluster: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr(cluster, "places", lambda: 0)
    monkeypatch.setattr(cluster, "_await_done", lambda handles, seconds: [])
    with pytest.raises(ClusterError, match="The cluster at here has had no worker for 0 s"):
        swept()


def test_ctrl_c_takes_the_tasks_back(runs: Path, cluster: Here, exports: list[dict[str, Any]]) -> None:
    class Interrupting(SilentWatcher):
        def outcome(self, outcome: Outcome) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        swept(watcher=Interrupting())
    assert cluster.cancelled == 1


def test_artifacts_that_are_not_equal_come_back_beside_where_a_bundle_would_be(
    runs: Path, cluster: Here, small_bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exported(item: Item, workers: object, output: Path, *others: object) -> Outcome:
        failed = output / f"{item.name}.failed"
        shutil.copytree(small_bundle, failed, ignore=shutil.ignore_patterns("report.html"))
        manifest = read_manifest(failed)
        message = f"'{item.checkpoint}' differs. The artifacts are in '{failed}'."
        return Outcome(item, FAILED, 1.5, 3, message, manifest=manifest)

    monkeypatch.setattr(remote, "export_item", exported)
    (runs / "bundles" / "two-small net é.failed").mkdir(parents=True)
    (runs / "bundles" / "two-small net é.failed" / "mine").write_text("mine")
    done = swept()
    places = [f"bundles/{name}" for name in ("one-small net é.failed", "two-small net é.failed-2")]
    files = [f"runs/{name}/small net é.h5" for name in ("one", "two")]
    assert [outcome.message for outcome in done.outcomes] == [
        f"'{file}' differs. The artifacts are in '{place}'." for file, place in zip(files, places, strict=True)
    ]
    assert [(outcome.status, outcome.code) for outcome in done.outcomes] == [("failed", 3)] * 2
    assert all(load_manifest(Path(place)) for place in places)
    assert (runs / "bundles" / "two-small net é.failed" / "mine").read_text() == "mine"


def test_a_builder_is_not_sent(runs: Path, cluster: Here) -> None:
    with pytest.raises(ClusterError, match="--builder runs code of this machine"):
        swept(Checkpoint(builder="made.py:build"))


def tampered(change: Callable[[Path], object]) -> Callable[[bytes], bytes]:
    """An answer whose files were changed on the way, as their hashes say too."""

    def answer(data: bytes) -> bytes:
        parcel = unpack(data)
        place = Path("tampered")
        shutil.rmtree(place, ignore_errors=True)
        parcel.lay(place)
        change(place)
        if (place / LISTING).is_file():  # whoever changes a proof lists it again
            (place / LISTING).write_text(text_of_listing(place))
        files = {path.relative_to(place).as_posix(): path for path in place.rglob("*") if path.is_file()}
        return pack(parcel.head, files)

    return answer


def of_another(place: Path) -> None:
    manifest = json.loads((place / "manifest.json").read_text(encoding="utf8"))
    manifest["checkpoint"]["sha256"] = "0" * 64
    (place / "manifest.json").write_text(json.dumps(manifest), encoding="utf8")


def with_member(file: str, **members: Any) -> Callable[[Path], object]:
    """Changes members of a JSON file of the bundle."""

    def change(place: Path) -> None:
        data = json.loads((place / file).read_text(encoding="utf8"))
        (place / file).write_text(json.dumps(data | members), encoding="utf8")

    return change


TAMPERED = {
    "an artifact": (lambda place: next(place.glob("*.onnx")).write_bytes(b"onnx"), "not the file that the manifest"),
    "no artifact": (lambda place: next(place.glob("*.onnx")).unlink(), "is missing"),
    "a file more": (lambda place: (place / "more.py").write_text("more"), "other files than its manifest lists"),
    "no manifest": (lambda place: (place / "manifest.json").unlink(), "holds no manifest.json"),
    "another checkpoint": (of_another, "of another checkpoint"),
    "another name": (with_member("manifest.json", name="other"), "its bundle has another name, 'other'"),
    "a proof that was not passed": (with_member("parity.json", passed=False), "its proof was not passed"),
    "a proof of nothing": (with_member("parity.json", artifacts=[]), "is of other artifacts than its manifest lists"),
    "a proof of words": (with_member("parity.json", positions="many"), "other figures than a proof has"),
    "a proof of no object": (with_member("parity.json", artifacts=3), "its proof cannot be read: TypeError"),
    "reasons of numbers": (with_member("parity.json", not_proved={"onnx": 3}), "has other reasons than words"),
    "a text that steers": (with_member("parity.json", description="\x1b[2J"), "has control characters"),
    "no proof": (lambda place: (place / "parity.json").unlink(), "other files than its manifest lists"),
    "nothing": (lambda place: shutil.rmtree(place), "holds no bundle"),
}


@pytest.mark.parametrize(("change", "said"), TAMPERED.values(), ids=TAMPERED)
def test_an_answer_that_is_not_this_checkpoints_bundle_is_not_published(
    change: Callable[[Path], object], said: str, runs: Path, cluster: Here, exports: list[dict[str, Any]]
) -> None:
    cluster.answer = tampered(change)
    for message in messages(swept()):
        assert message.startswith("A worker's answer cannot be used (")
        assert said in message
        assert message.endswith("nothing of it was published.")


@pytest.mark.parametrize("data", [b"", b"no parcel", pack({}, {}), pack({"status": "proved", "code": 7}, {})])
def test_an_answer_that_is_none_is_not_published(
    data: bytes, runs: Path, cluster: Here, exports: list[dict[str, Any]]
) -> None:
    cluster.answer = lambda answer: data
    assert all(message.startswith("A worker's answer cannot be used (") for message in messages(swept()))


@pytest.mark.parametrize("told", [{"seconds": -1}, {"seconds": 1e300}, {"skipped": ["onnx"]}, {"code": 2}])
def test_an_outcome_that_no_table_can_have_is_none(
    told: dict[str, Any], runs: Path, cluster: Here, exports: list[dict[str, Any]]
) -> None:
    def answer(data: bytes) -> bytes:
        parcel = unpack(data)
        parcel.lay(Path("laid"))
        packed = pack({**parcel.head, **told}, files_in(Path("laid")))
        shutil.rmtree("laid")
        return packed

    cluster.answer = answer
    assert all("it states no outcome" in message for message in messages(swept()))


def test_what_a_worker_says_steers_no_terminal_and_fills_no_table(
    runs: Path, cluster: Here, exports: list[dict[str, Any]]
) -> None:
    said = "\x1b]0;owned\x07[red]bad[/red]<script>\r\n" + "x" * 10_000
    head = {"status": "failed", "code": 1, "seconds": 0, "skipped": {}, "manifest": {}, "parity": {}, "message": said}
    cluster.answer = lambda data: pack(head, {})
    done = CliRunner().invoke(cli, ["sweep", "runs/*/*.h5", "--backend", "dask", "--scheduler", "here"])
    assert done.exit_code == 1
    for text in (done.output, Path("bundles/results.csv").read_text(), Path("bundles/index.html").read_text()):
        assert "\\x1b]0;owned\\x07[red]bad[/red]" in text
        assert "\x1b" not in text
        assert len(text) < 40_000
    assert "<script>" not in Path("bundles/index.html").read_text()


class Finished:
    """A task of Dask's that is done."""

    status = "finished"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def result(self) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (10**12, "its answer is no bytes but int"),
        ("text", "its answer is no bytes but str"),
        (None, "its answer is no bytes but NoneType"),
        ([300], "its answer is no bytes but list"),
        (
            ModuleNotFoundError("No module\x1b[31m"),
            r"its answer cannot be read here (ModuleNotFoundError: No module\x1b[31m)",
        ),
        (RuntimeError("no"), "its answer cannot be read here (RuntimeError: no)"),
    ],
)
def test_an_answer_that_is_not_bytes_is_a_task_that_came_to_nothing(answer: Any, reason: str) -> None:
    pytest.importorskip("distributed")
    cluster = Cluster("here")
    cluster._client = SimpleNamespace(status="running")
    assert cluster._outcome(Finished(answer)) == Lost(reason)
    assert cluster._outcome(Finished(b"bytes")) == b"bytes"


def test_an_answer_of_a_scheduler_that_is_gone_ends_the_sweep() -> None:
    pytest.importorskip("distributed")
    cluster = Cluster("here")
    cluster._client = SimpleNamespace(status="closed")
    with pytest.raises(ClusterError, match="The scheduler at here is lost"):
        cluster._outcome(Finished(RuntimeError("no")))


def other_weights(place: Path) -> None:
    """Let the ONNX artifact be another network, under its own hash."""
    import onnx

    (file,) = place.glob("*.onnx")
    model = onnx.load(file)
    first = next(each for each in model.graph.initializer if each.data_type == onnx.TensorProto.FLOAT)
    first.CopyFrom(onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(first) * 1.5, first.name))
    onnx.save(model, file)
    manifest = json.loads((place / "manifest.json").read_text(encoding="utf8"))
    for entry in manifest["files"]:
        if entry["path"] == file.name:
            entry |= {"sha256": hashlib.sha256(file.read_bytes()).hexdigest(), "size": file.stat().st_size}
    (place / "manifest.json").write_text(json.dumps(manifest), encoding="utf8")


@pytest.mark.whole
def test_with_verify_nothing_is_published_that_this_machine_has_not_proved(
    runs: Path, cluster: Here, exports: list[dict[str, Any]]
) -> None:
    shutil.rmtree("runs/two")
    cluster.answer = tampered(other_weights)
    (message,) = messages(swept(verify=True))
    assert message.startswith("A worker's answer cannot be used (it is not proved here: ")
    assert ".onnx" in message
    assert str(runs) not in message
    # Without, the worker is believed, and the next sweep with it does not keep that.
    assert swept().outcomes[0].status == PROVED
    assert swept(verify=True).outcomes[0].status == FAILED
    cluster.answer = lambda data: data
    assert swept(verify=True).outcomes[0].status == PROVED
    assert swept(verify=True).outcomes[0].status == "kept"
    assert len(exports) == 4


def test_verify_is_for_a_cluster(runs: Path) -> None:
    done = CliRunner().invoke(cli, ["sweep", "runs/*/*.h5", "--verify"])
    assert done.exit_code == 2
    assert "--verify is for a cluster" in done.output


@pytest.mark.parametrize("command", [("sweep", "runs"), ("match", "one.onnx", "other.onnx")])
def test_who_asks_for_ray_is_told_to_use_dask(command: tuple[str, ...]) -> None:
    done = CliRunner().invoke(cli, [*command, "--backend", "ray", "--scheduler", "HOST:6379"])
    assert done.exit_code == 2
    assert "use dask" in done.output
    with pytest.raises(ClusterError, match="use dask"), clusters.connect("ray", None):
        pass


@pytest.mark.parametrize("answer", [b"", b"SSH-2.0-OpenSSH_9.2\r\n" * 100], ids=["silent", "another program"])
def test_what_listens_and_is_no_scheduler_is_one_sentence(answer: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask's own client waits for ever for one that says nothing."""
    monkeypatch.setattr(clusters, "CONNECT_SECONDS", 1)
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    held.append(listening.accept()[0])
                    held[-1].sendall(answer)

        held = list[socket.socket]()
        threading.Thread(target=serve, daemon=True).start()
        address = f"tcp://127.0.0.1:{listening.getsockname()[1]}"
        with pytest.raises(ClusterError, match=rf"^No Dask scheduler answers at {address} \(.*\): start one"):
            Cluster(address).__enter__()
        listening.shutdown(socket.SHUT_RDWR)
    for one in held:
        one.close()
