"""The kinds of apps that hold bundles: the files that identify a project, and where its build expects assets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..errors import BundleError

ASSETS = "azx"
SETTINGS = ("settings.gradle", "settings.gradle.kts")


@dataclass(frozen=True)
class AppKind:
    """A kind of app.

    `platform` names the recommended artifact that goes there, None for all artifacts. `marks` are the
    patterns of files that identify such a project. `place` gives the folder that holds `azx` in a project.
    """

    name: str
    platform: str | None
    marks: tuple[str, ...]
    place: Callable[[Path], Path]

    def fits(self, app: Path) -> bool:
        """Whether the project's files are those of this kind."""
        return any(next(app.glob(mark), None) is not None for mark in self.marks)

    def assets(self, app: Path) -> Path:
        """The folder `azx` of a project, with the index and a folder for each bundle."""
        return self.place(app) / ASSETS


def _android(app: Path) -> Path:
    """The assets of the module `app`, or of the project itself if it is that module.

    BundleError for a project whose Gradle modules include no `app`: nothing would pack the assets there.
    """
    if (app / "app").is_dir():
        return app / "app" / "src" / "main" / "assets"
    if any((app / name).is_file() for name in SETTINGS) and not (app / "src" / "main").is_dir():
        raise BundleError(f"'{app}' has no module 'app': give the folder of the module that packs the app.")
    return app / "src" / "main" / "assets"


def _web(app: Path) -> Path:
    """The folder that a bundler copies unchanged, or the root of a site without a bundler."""
    built = (app / "package.json").is_file() or (app / "public").is_dir()
    return app / "public" if built else app


KINDS: dict[str, AppKind] = {
    kind.name: kind
    for kind in (
        AppKind(
            "android",
            "android",
            (
                "app/build.gradle",
                "app/build.gradle.kts",
                *SETTINGS,
                "build.gradle",
                "build.gradle.kts",
                "pom.xml",
            ),
            _android,
        ),
        AppKind("ios", "ios", ("*.xcodeproj", "*.xcworkspace", "Package.swift"), lambda app: app / "Resources"),
        AppKind("web", "web", ("package.json", "index.html"), _web),
        AppKind("folder", None, (), lambda app: app),
    )
}


def kind_of(app: Path, name: str | None = None) -> AppKind:
    """The kind called `name`, or the one that the project's files show; BundleError if they do not show exactly one."""
    if not app.is_dir():
        raise BundleError(
            f"There is no folder at '{app}': give the folder of the app's project, or of a website (--kind web)."
        )
    if name is not None:
        return KINDS[name]
    kinds = [kind for kind in KINDS.values() if kind.fits(app)]
    if len(kinds) == 1:
        return kinds[0]
    if not kinds:
        raise BundleError(
            f"'{app}' is no Android, Xcode or web project: say with --kind what it is ({', '.join(KINDS)}; "
            "for a website --kind web)."
        )
    names = " and ".join(kind.name for kind in kinds)
    raise BundleError(f"'{app}' looks like a project for {names}: say with --kind which to install for.")
