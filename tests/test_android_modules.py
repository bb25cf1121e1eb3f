"""Android's two modules compile apart: each from its own folders, with its own class path, as Gradle compiles them.

Gradle cannot run here. What it hands to Kotlin's compiler is in the sources of Android's plugin 9.1.1: a module's
sources are src/main/java and src/main/kotlin (DefaultAndroidSourceSet.initRoot), its libraries the framework and what
its dependencies publish (KotlinCompileCreationAction.configureKotlinJvmCompile). The compiler and the libraries are
those that Maven has fetched.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

import pytest

POM = "{http://maven.apache.org/POM/4.0.0}"
REPOSITORY = Path.home() / ".m2" / "repository"
COMPILER = "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler"

pytestmark = pytest.mark.whole


@dataclass(frozen=True)
class Result:
    """What the compiler wrote and said; `out` holds the classes if it succeeded."""

    out: Path
    failed: bool
    messages: str


@dataclass(frozen=True)
class Compiler:
    """Kotlin's compiler with the framework and the standard library, which every module has."""

    tools: str
    common: tuple[Path, ...]
    folder: Path
    flags: tuple[str, ...] = field(default=("-no-stdlib", "-no-reflect", "-jvm-target", "1.8", "-Xjdk-release=1.8"))

    def run(self, name: str, sources: list[Path], libraries: list[Path], friends: tuple[Path, ...] = ()) -> Result:
        """Compile the folders of a module's source set."""
        out = self.folder / name
        path = os.pathsep.join(map(str, [*libraries, *self.common]))
        friend = [f"-Xfriend-paths={','.join(map(str, friends))}"] if friends else []
        command = ["java", "-Xmx1500m", "-XX:TieredStopAtLevel=1", "-cp", self.tools, COMPILER, *self.flags, *friend]
        there = [str(source) for source in sources if source.exists()]
        command += ["-module-name", name, "-classpath", path, "-d", str(out), *there]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return Result(out, done.returncode != 0, done.stdout + done.stderr)


def jar(group: str, name: str, version: str, kind: str = "jar") -> Path:
    """An artifact that Maven has fetched; the test is skipped if it has not."""
    path = REPOSITORY.joinpath(*group.split("."), name, version, f"{name}-{version}.{kind}")
    if not path.is_file():
        pytest.skip(f"{path.name} is not in Maven's repository: make test-android apk")
    return path


def newest(group: str, name: str) -> Path:
    """The same, of whichever version is there."""
    found = sorted(REPOSITORY.joinpath(*group.split("."), name).glob(f"*/{name}-*.jar"))
    if not found:
        pytest.skip(f"{name} is not in Maven's repository: make test-android apk")
    return found[-1]


@pytest.fixture(scope="module")
def app(repository: Path) -> Path:
    if shutil.which("java") is None:
        pytest.skip("java is not installed")
    if not (repository / "apps/android/app/src/main/res/values/strings.xml").is_file():
        pytest.skip("the app's texts are not written: make android-texts")
    return repository / "apps" / "android"


@pytest.fixture(scope="module")
def properties(app: Path) -> dict[str, str]:
    found = ElementTree.parse(app / "pom.xml").getroot().find(f"{POM}properties")  # noqa: S314 (our own file)
    assert found is not None
    return {item.tag.removeprefix(POM): item.text or "" for item in found}


@pytest.fixture(scope="module")
def framework(properties: dict[str, str]) -> Path:
    return jar("org.robolectric", "android-all", properties["android.all"])


@pytest.fixture(scope="module")
def compiler(properties: dict[str, str], framework: Path, tmp_path_factory: pytest.TempPathFactory) -> Compiler:
    version, group = properties["kotlin.version"], "org.jetbrains.kotlin"
    stdlib = jar(group, "kotlin-stdlib", version)
    tools = [
        jar(group, "kotlin-compiler-embeddable", version),
        stdlib,
        jar(group, "kotlin-script-runtime", version),
        newest(group, "kotlin-reflect"),
        newest(group, "kotlin-daemon-embeddable"),
        newest("org.jetbrains.kotlinx", "kotlinx-coroutines-core-jvm"),
        newest("org.jetbrains", "annotations"),
    ]
    return Compiler(os.pathsep.join(map(str, tools)), (stdlib, framework), tmp_path_factory.mktemp("modules"))


@pytest.fixture(scope="module")
def tflite(properties: dict[str, str], compiler: Compiler) -> list[Path]:
    """The classes of TFLite that the APK ships."""
    found = []
    for name in ("tensorflow-lite", "tensorflow-lite-api"):
        with zipfile.ZipFile(jar("org.tensorflow", name, properties["tflite.version"], "aar")) as archive:
            found.append(Path(archive.extract("classes.jar", compiler.folder / name)))
    return found


@pytest.fixture(scope="module")
def play(app: Path, compiler: Compiler, tflite: list[Path]) -> Result:
    """:play: its folders, TFLite."""
    return compiler.run("play", folders(app, "play", "main"), tflite)


@pytest.fixture(scope="module")
def screens(app: Path, compiler: Compiler, play: Result, resources: Path) -> Result:
    """:app: its folders, its resources, what :play publishes."""
    return compiler.run("app", [*folders(app, "app", "main"), resources], [play.out])


@pytest.fixture(scope="module")
def fixtures(app: Path, compiler: Compiler, play: Result, properties: dict[str, str]) -> Result:
    """The test fixtures of :play, which see what is internal to it."""
    libraries = [play.out, jar("org.json", "json", properties["json.version"])]
    return compiler.run("fixtures", folders(app, "play", "testFixtures"), libraries, (play.out,))


@pytest.fixture(scope="module")
def resources(app: Path, properties: dict[str, str], framework: Path, compiler: Compiler) -> Path:
    """The folder with R.java."""
    tool = jar("org.apktool", "apktool-lib", properties["apktool.version"])
    with zipfile.ZipFile(tool) as archive:
        aapt2 = Path(archive.extract("prebuilt/linux/aapt2_64", compiler.folder / "tool"))
    aapt2.chmod(0o755)
    manifest, code = compiler.folder / "AndroidManifest.xml", compiler.folder / "R"
    text = (app / "app/src/main/AndroidManifest.xml").read_text(encoding="utf8")
    manifest.write_text(text.replace("<manifest ", '<manifest package="org.azx.app" '), encoding="utf8")
    compiled = compiler.folder / "res.zip"
    make: list[str | Path] = ["compile", "--dir", app / "app/src/main/res", "-o", compiled]
    link: list[str | Path] = ["link", "-I", framework, "--manifest", manifest, "--java", code]
    link += ["--min-sdk-version", properties["app.minSdk"], "-o", compiler.folder / "res.apk", compiled]
    for command in (make, link):
        subprocess.run([aapt2, *command], check=True, capture_output=True)
    return code


def folders(app: Path, module: str, kind: str) -> list[Path]:
    """Where Android's plugin looks for the Kotlin of a source set."""
    return [app / module / "src" / kind / language for language in ("java", "kotlin")]


def classes(out: Path) -> set[str]:
    return {str(path.relative_to(out)) for path in out.rglob("*.class")}


def test_the_library_compiles_by_itself(play: Result) -> None:
    assert not play.failed, play.messages
    assert "org/azx/app/network/TfLite.class" in classes(play.out)


def test_the_app_compiles_against_what_the_library_publishes_and_without_tflite(screens: Result, play: Result) -> None:
    assert not screens.failed, screens.messages
    # Packed together: a class that both had would end the packing.
    assert len(classes(screens.out)) > 100
    assert not classes(screens.out) & classes(play.out)


def test_the_app_sees_no_tflite_and_nothing_internal(compiler: Compiler, play: Result, tmp_path: Path) -> None:
    """Else the tests above would pass whatever a module imports."""
    for line, message in (
        ("import org.tensorflow.lite.Interpreter", "unresolved reference 'tensorflow'"),
        ("import org.azx.app.engine.games.withGame", "it is internal in file"),
    ):
        source = tmp_path / "Planted.kt"
        source.write_text(f"package org.azx.app.play\n\n{line}\n", encoding="utf8")
        result = compiler.run("planted", [source], [play.out])
        assert result.failed
        assert message in result.messages


def test_the_example_compiles_against_what_the_library_publishes(
    compiler: Compiler, play: Result, repository: Path
) -> None:
    source = repository / "examples" / "android" / "app" / "src" / "main" / "kotlin"
    (file,) = source.rglob("*.kt")
    assert len(file.read_text(encoding="utf8").splitlines()) <= 200
    result = compiler.run("example", [source], [play.out])
    assert not result.failed, result.messages
    assert "org/example/connect4/MainActivity.class" in classes(result.out)


def test_the_tests_of_both_compile_with_the_fixtures_of_the_library(
    app: Path, compiler: Compiler, play: Result, screens: Result, fixtures: Result, properties: dict[str, str]
) -> None:
    assert not fixtures.failed, fixtures.messages
    json = jar("org.json", "json", properties["json.version"])
    tools = [fixtures.out, json, jar("junit", "junit", properties["junit.version"])]
    own = compiler.run("play-test", folders(app, "play", "test"), [play.out, *tools], (play.out, fixtures.out))
    assert not own.failed, own.messages
    apps = compiler.run("app-test", folders(app, "app", "test"), [screens.out, play.out, *tools], (screens.out,))
    assert not apps.failed, apps.messages
