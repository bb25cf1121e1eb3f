"""`.ci/again`: a failed test runs once more, alone, and what that excuses."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import pytest

# Tests that fail at first: in `FLAKY` the second run passes, as a file is there then.
FLAKY = """
from pathlib import Path
import pytest

def passes_the_second_time(name):
    seen = Path("seen") / name
    seen.parent.mkdir(exist_ok=True)
    was_there = seen.exists()
    seen.touch()
    assert was_there

def test_sound():
    assert "test_sound" not in {path.name for path in Path("seen").glob("*")}, "it runs once"
    passes_the_second_time("test_sound") if False else None

class TestGroup:
    @pytest.mark.parametrize("text", ["a b", "é//ü", "x[1]", "--help"])
    def test_flaky(self, text):
        passes_the_second_time(text.replace("/", ""))
"""
FAILS = "def test_fails():\n    assert 1 == 2\n"
CRASHES = """
import subprocess, sys

def azx(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "Traceback" not in done.stderr, done.stderr
    assert done.returncode == 0

def test_raises():
    azx("raise KeyError('x')")

def test_dies():
    azx("import os; os.abort()")
"""


@pytest.fixture(scope="module")
def again(repository: Path) -> Any:
    """The script as a module."""
    loader = SourceFileLoader("again", str(repository / ".ci" / "again"))
    spec = spec_from_loader("again", loader)
    assert spec is not None
    module = module_from_spec(spec)
    sys.modules["again"] = module  # where dataclasses look for the types that they name
    loader.exec_module(module)
    return module


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of tests, with one test in a second file that passes."""
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_other.py").write_text("def test_other():\n    pass\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(repository: Path, *arguments: object, later: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the script, with a folder for later, or without."""
    environment = {name: value for name, value in os.environ.items() if name not in ("AZX_AGAIN", "AZX_SHARD")}
    if later is not None:
        environment["AZX_AGAIN"] = str(later)
    command = [sys.executable, "-P", repository / ".ci" / "again", *arguments]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, env=environment, check=False)


def run_pytest(repository: Path, *arguments: str, later: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run this Python's pytest by the script, in the current folder."""
    pytest_here = Path(sys.executable).with_name("pytest")
    return call(repository, "run", "pytest", "tests.xml", "--", pytest_here, *arguments, later=later)


def test_three_tests_that_pass_alone_are_named_and_excused(repository: Path, project: Path) -> None:
    (project / "tests" / "test_flaky.py").write_text(FLAKY.replace('"--help"', ""))
    done = run_pytest(repository, "tests", "-q", "--numprocesses", "2", "--dist", "loadfile")
    assert done.returncode == 0, done.stdout + done.stderr
    *_, one, two, three = done.stdout.splitlines()
    names = [f"flaky: tests/test_flaky.py::TestGroup::test_flaky[{text}]" for text in ("a b", r"\xe9//\xfc", "x[1]")]
    assert sorted([one, two, three]) == sorted(names)
    # Alone: one test at a time, and nothing that passed.
    assert done.stdout.count("\n1 passed") == 3
    assert "3 failed, 2 passed" in done.stdout


def test_four_flaky_tests_are_too_many(repository: Path, project: Path) -> None:
    (project / "tests" / "test_flaky.py").write_text(FLAKY)
    done = run_pytest(repository, "-q")
    assert done.returncode == 1
    assert done.stdout.count("\nflaky: ") == 4
    assert done.stdout.splitlines()[-1] == "4 tests are flaky, which is more than 3"


def test_a_test_that_fails_again_has_failed(repository: Path, project: Path) -> None:
    (project / "tests" / "test_fails.py").write_text(FAILS)
    done = run_pytest(repository, "-q", "tests/test_other.py", "tests/test_fails.py")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "failed again: tests/test_fails.py::test_fails"


def test_however_many_failed_each_runs_again_until_the_time_is_over(
    again: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now, ran = 0.0, list[str]()

    def passes(test: Any) -> bool:
        nonlocal now
        now += 10
        ran.append(test.name)
        return False

    monkeypatch.setattr(again.time, "monotonic", lambda: now)
    monkeypatch.setattr(again, "passes_alone", passes)
    tests = [again.Failed("vitest", "report.xml", ["npm"], ".", "a.ts", f"test {number}", "") for number in range(25)]
    assert again.judge(tests) == 1
    assert ran == [f"test {number}" for number in range(24)]
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2:] == ["failed again: a.ts test 23", "failed, and not run again within 240 s: a.ts test 24"]


def test_a_crash_of_the_product_is_not_run_again(repository: Path, project: Path) -> None:
    (project / "tests" / "test_crashes.py").write_text(CRASHES)
    done = run_pytest(repository, "-q")
    assert done.returncode == 1
    raised, died = done.stdout.splitlines()[-2:]
    assert raised == "crashed: tests/test_crashes.py::test_raises (a traceback)"
    assert died.startswith("crashed: tests/test_crashes.py::test_dies (where -6 = ")
    assert "again, alone" not in done.stdout


def test_a_worker_that_dies_is_a_crash(repository: Path, project: Path) -> None:
    (project / "tests" / "test_dies.py").write_text("import os\n\ndef test_dies():\n    os.abort()\n")
    done = run_pytest(repository, "-q", "--numprocesses", "2")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].startswith("crashed: tests/test_dies.py::test_dies (worker 'gw")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("import nothing_of_this_name\n", 2),
        ("import pytest\n\ndef test_x():\n    pytest.exit('over')\n", 2),
    ],
    ids=["a file that is not read", "a run that ends early"],
)
def test_what_no_test_failed_by_stays_failed(text: str, code: int, repository: Path, project: Path) -> None:
    (project / "tests" / "test_broken.py").write_text(text)
    done = run_pytest(repository, "-q")
    assert done.returncode == code, done.stdout
    assert "again, alone" not in done.stdout


def test_a_whole_run_judges_at_its_end(
    repository: Path, project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """What two steps noted is counted together, and a step of nothing but such failures goes on."""
    later = tmp_path_factory.mktemp("ci")
    (project / "tests" / "test_flaky.py").write_text(FLAKY.replace('"--help"', ""))
    noted = run_pytest(repository, "-q", later=later)
    assert noted.returncode == 0
    assert noted.stdout.count("failed, and is run once more at the end: tests/test_flaky.py::") == 3
    assert call(repository, "end", later).returncode == 0
    assert (later / "flaky").read_text().count("flaky: ") == 3

    (project / "tests" / "test_flaky.py").write_text(FLAKY.replace('"--help"', "").replace('"seen"', '"more"'))
    assert run_pytest(repository, "-q", later=later).returncode == 0
    lines = (later / "noted").read_text().splitlines()
    assert len(lines) == 6
    for path in (project / "more").iterdir():
        path.unlink()
    done = call(repository, "end", later)
    assert done.returncode == 1
    assert (later / "flaky").read_text().splitlines()[-1].startswith("failed again: ")


def test_a_run_without_a_failure_lists_nothing(repository: Path, project: Path, tmp_path: Path) -> None:
    done = run_pytest(repository, "-q", later=tmp_path)
    assert (done.returncode, done.stdout.count("again")) == (0, 0)
    ended = call(repository, "end", tmp_path)
    assert (ended.returncode, ended.stdout, (tmp_path / "flaky").read_text()) == (0, "", "")


def test_a_command_line_that_is_none_is_explained(repository: Path) -> None:
    for arguments in ((), ("run", "pytest"), ("run", "golang", "x.xml", "--", "true"), ("end",)):
        done = call(repository, *arguments)
        assert done.returncode == 2
        assert "again run KIND REPORTS -- COMMAND" in done.stderr


# --- the apps' runners, by stand-ins of which each writes the report that its runner writes --------------------------

REPORT = '<testsuite><testcase classname="{place}" name="{name}">{inside}</testcase></testsuite>'
# Fails at first, and notes what it is called with.
STANDIN = """
import json, sys
from pathlib import Path
calls = Path("calls")
before = calls.read_text().splitlines() if calls.exists() else []
calls.write_text("\\n".join([*before, json.dumps(sys.argv[1:])]))
print({said!r})
Path("report.xml").write_text({again!r} if before else {first!r})
sys.exit(0 if before else {code})
"""


def run_standin(
    repository: Path, kind: str, place: str, name: str, said: str = "", skips: bool = False
) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """Run a runner's stand-in in the current folder; what was said, and the arguments of the second call."""
    first = REPORT.format(place=place, name=name, inside='<failure message="expected 1 to be 2">at x:1</failure>')
    second = REPORT.format(place=place, name=name, inside="<skipped/>" if skips else "")
    code = STANDIN.format(said=said, first=first, again=second, code=0 if kind == "maven" else 1)
    Path("standin.py").write_text(code)
    done = call(repository, "run", kind, "report.xml", "--", sys.executable, "standin.py", "test")
    *_, last = Path("calls").read_text().splitlines()
    return done, json.loads(last)[1:]


@pytest.mark.parametrize(
    ("kind", "place", "name", "wanted"),
    [
        (
            "vitest",
            "tests/engine/go.test.ts",
            "Go (9x9) > counts a/b",
            ["tests/engine/go.test.ts", "-t", r"^Go\ \(9x9\)(?: >)? counts\ a\/b$"],
        ),
        (
            "maven",
            "org.azx.app.GoTest",
            "counts[1: #]",
            ["-Dtest=org.azx.app.GoTest#counts?1? ??", "-Dsurefire.failIfNoSpecifiedTests=false"],
        ),
        ("swift", "EngineTests.GoTests", "counts(_:)", ["--filter", r"^EngineTests[./]GoTests[./]counts\(_:\)"]),
    ],
)
def test_an_apps_test_is_run_alone_by_its_runner(
    kind: str, place: str, name: str, wanted: list[str], repository: Path, project: Path
) -> None:
    done, arguments = run_standin(repository, kind, place, name)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == f"flaky: {place} {name}"
    assert arguments == wanted


def test_a_runner_that_does_not_find_the_test_proves_nothing(repository: Path, project: Path) -> None:
    done, _ = run_standin(repository, "vitest", "tests/go.test.ts", "counts", skips=True)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "failed again: tests/go.test.ts counts"


@pytest.mark.parametrize(
    ("kind", "said", "stays"),
    [
        ("vitest", "Failed Suites 1", True),
        ("vitest", "Vitest caught 1 unhandled error\nUnhandled Errors", True),
        ("vitest", "Failed Tests 1", False),
        ("maven", "[ERROR] The forked VM terminated without properly saying goodbye. VM crash?", True),
        ("maven", "[ERROR] There are test failures.", False),
    ],
)
def test_what_failed_beside_a_test_stays_failed(
    kind: str, said: str, stays: bool, repository: Path, project: Path
) -> None:
    done, arguments = run_standin(repository, kind, "place", "name", said)
    is_run_again = any("name" in part for part in arguments)
    assert (done.returncode, is_run_again) == ((1, False) if stays else (0, True))


def test_a_maven_that_does_not_compile_stays_failed(repository: Path, project: Path) -> None:
    (project / "report.xml").write_text(REPORT.format(place="place", name="name", inside='<failure message="x"/>'))
    code = "from pathlib import Path; Path('report.xml').touch(); raise SystemExit(1)"
    done = call(repository, "run", "maven", "report.xml", "--", sys.executable, "-c", code)
    assert (done.returncode, done.stdout) == (1, "")


def test_a_report_of_an_earlier_run_does_not_count(repository: Path, project: Path) -> None:
    report = project / "report.xml"
    report.write_text(REPORT.format(place="place", name="name", inside='<failure message="old"/>'))
    os.utime(report, (1e9, 1e9))
    done = call(repository, "run", "swift", "report.xml", "--", sys.executable, "-c", "raise SystemExit(4)")
    assert done.returncode == 4


@pytest.mark.parametrize(
    ("failure", "crash"),
    [
        ("E   AssertionError: Traceback (most recent call last):\nE     File", "a traceback"),
        ("server said:\nTraceback (most recent call last):\n  File", "a traceback"),
        ('    assert "Traceback (most recent call last)" not in text\nE   assert 1 == 2', ""),
        ('>   assert "Traceback (most recent call last):" not in text\nE   assert 1 == 2', ""),
        ('E   loky._RemoteTraceback: \nE   """\nE   Traceback (most recent call last):\nE   ValueError', ""),
        ("E   assert -11 == 0\nE    +  where -11 = CompletedProcess(args=['azx'], returncode=-11", "where -11 = "),
        ("E   subprocess.CalledProcessError: Command 'azx' died with <Signals.SIGSEGV: 11>.", "died with <Signals."),
        ("Segmentation fault (core dumped)", "Segmentation fault"),
        ("E   assert 3 == 0", ""),
        ("E   subprocess.TimeoutExpired: Command 'azx' timed out after 60 seconds", ""),
    ],
)
def test_a_crash_is_known_by_its_text(failure: str, crash: str, again: Any) -> None:
    found = again.crash_in(failure)
    assert (found.startswith(crash), bool(found)) == (True, bool(crash))


# --- the runs of the checkout -----------------------------------------------------------------------------------------

# What .ci/run needs of a machine, which has neither npm nor Maven nor Swift.
TOOLS = "awk bash cat chmod date df dirname echo env flock grep make mkdir renice rm sed sh sleep tail touch true"
MAKEFILE = """
setup lint bundles android-texts ios-texts others:
	@true
test-all:
	python3 -P .ci/again run pytest $(REPORTS)/tests.xml -- {pytest} -q tests
	@echo what comes after the tests
"""


@pytest.fixture
def run_ci(repository: Path, project: Path) -> Any:
    """Runs .ci/run in a checkout that has no more than the tests of this project."""
    places = ("bin", ".ci", "apps/ios/tools")
    bin_folder, ours, tools = (project / place for place in places)
    for folder in (bin_folder, ours, tools):
        folder.mkdir(parents=True)
    for name in ("run", "table", "again"):
        shutil.copy(repository / ".ci" / name, ours / name)
    (project / "Makefile").write_text(MAKEFILE.format(pytest=Path(sys.executable).with_name("pytest")))
    for path, text in (
        (tools / "swift.sh", "#!/bin/sh\necho no swift here\nexit 3\n"),
        (bin_folder / "python3", f'#!/bin/sh\nexec "{sys.executable}" "$@"\n'),
    ):
        path.write_text(text)
        path.chmod(0o755)
    for tool in TOOLS.split():
        (bin_folder / tool).symlink_to(str(shutil.which(tool)))
    environment = {**os.environ, "PATH": str(bin_folder), "AZX_CHROMIUM": "/none"}

    def run() -> subprocess.CompletedProcess[str]:
        command = ["bash", ".ci/run"]
        return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)

    return run


@pytest.mark.skipif(not shutil.which("flock"), reason="flock is not installed")
def test_a_whole_run_with_a_flaky_test_passes_and_names_it_in_its_last_lines(run_ci: Any, project: Path) -> None:
    (project / "tests" / "test_flaky.py").write_text(FLAKY.replace(', "é//ü", "x[1]", "--help"', ""))
    done = run_ci()
    assert done.returncode == 0, done.stdout + done.stderr
    flaky = "flaky: tests/test_flaky.py::TestGroup::test_flaky[a b]"
    assert done.stdout.splitlines()[-2:] == [flaky, "all passed"]
    assert (project / "build" / "ci" / "flaky").read_text() == f"{flaky}\n"
    # The step went on behind its tests, and the table counts them as they ran at first.
    assert "what comes after the tests" in done.stdout
    assert "of 3 tests failed\n  tests.test_flaky.TestGroup test_flaky[a b]" in done.stdout


@pytest.mark.whole
@pytest.mark.skipif(not shutil.which("flock"), reason="flock is not installed")
def test_a_whole_run_with_a_test_that_fails_twice_fails(run_ci: Any, project: Path) -> None:
    (project / "tests" / "test_fails.py").write_text(FAILS)
    done = run_ci()
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stdout.splitlines()[-2:] == ["failed again: tests/test_fails.py::test_fails", "failed: again"]


@pytest.mark.whole
@pytest.mark.skipif(not shutil.which("flock"), reason="flock is not installed")
def test_a_whole_run_with_a_file_that_is_not_read_fails_as_before(run_ci: Any, project: Path) -> None:
    (project / "tests" / "test_broken.py").write_text("import nothing_of_this_name\n")
    done = run_ci()
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "failed: tests"


@pytest.mark.parametrize(
    "target", ["test", "pytest-all", "smoke", "test-coreai", "test-web", "test-android", "test-ios"]
)
def test_every_target_that_tests_runs_its_tests_by_the_script(target: str, repository: Path) -> None:
    makefile = (repository / "Makefile").read_text(encoding="utf8")
    found = re.search(rf"^{target}:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    assert found is not None
    assert "$(AGAIN) run " in found[1]


# The step that is needed ends as soon as it was asked about.
RACE = """
LOGS={logs}
declare -A needs=([tests]=set_up)
echo tests > "$LOGS/queue"
touch "$LOGS/steps"
asked() {{
  local found=1
  grep -q "$1" "$LOGS/steps" && found=0
  echo 'set_up passed 0 0 0' >> "$LOGS/steps"
  return $found
}}
passed() {{ asked "^$1 passed "; }}
ended() {{ asked "^$1 "; }}
{next_step}
next_step
next_step
"""


@pytest.mark.skipif(not shutil.which("flock"), reason="flock is not installed")
def test_a_step_whose_need_ends_while_it_is_asked_about_is_run(repository: Path, tmp_path: Path) -> None:
    (function,) = re.findall(r"^next_step\(\) \{$.*?^\}.*?$", (repository / ".ci" / "run").read_text(), re.M | re.S)
    code = RACE.format(logs=tmp_path, next_step=function)
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "tests\n"
    assert "not-run" not in (tmp_path / "steps").read_text()
