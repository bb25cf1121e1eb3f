"""`azx page`, `azx apk` and `azx serve` as functions."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

from ..bundle.case.checkpoint import Checkpoint
from ..bundle.case.option import takes_options
from ..bundle.case.settings import Settings
from ..errors import BundleError
from ..mobile_assets.apk.facts import Facts, code_of, identity_of
from ..mobile_assets.apk.make import App, make_apk, prepared_app
from ..mobile_assets.installed_index import InstalledBundle
from ..mobile_assets.lan import lan_address, local_names
from ..mobile_assets.page.look import Look, read_colour, read_colours
from ..mobile_assets.page.write import Page
from ..mobile_assets.page.write import write_page as write
from ..mobile_assets.served import SERVE, Purpose
from ..mobile_assets.server import ADDRESS, Server, listen
from ..mobile_assets.site import Site, find_web, open_site
from ..system.progress import no_step
from .defaults import PORT
from .nets import Exports, NetOptions, bundles_of, one_or_more

FP32 = "fp32"
_LOG = logging.getLogger("azx.publish")


@takes_options(Settings, Checkpoint, only=NetOptions)
def write_page(  # noqa: PLR0913 - each is a keyword
    nets: str | Path | Sequence[str | Path],
    output: str | Path = "site",
    *,
    title: str | None = None,
    author: str | None = None,
    icon: str | Path | None = None,
    accent: str | None = None,
    backgrounds: Sequence[str] = (),
    url: str | None = None,
    precision: str = "auto",
    zipped: bool = False,
    app: str | Path | None = None,
    exports: Exports | None = None,
    **options: Unpack[NetOptions],
) -> Page:
    """Write a page on which people play networks, as a folder for any web host.

    Args:
        nets: a bundle's folder, a checkpoint or a shipped network's name, or several of them. A checkpoint is exported
            for the browser first, and proved.
        output: the page's folder. An earlier page of azx there is replaced.
        title: what the page is called; the names of the games if left out.
        author: who made it, at the foot of the page.
        icon: a PNG; a picture of the board if left out.
        accent: the colour of its buttons, such as "#0b6e5f".
        backgrounds: a light colour, a dark one, or both.
        url: where the page will be: previews of its link need that.
        precision: "auto", "fp16" or "fp32": that of a checkpoint's export, beside float32.
        zipped: write a .zip beside the folder too.
        app: a built web app other than azx's own.
        exports: follows the exports of checkpoints.
        options: as below.

    Returns:
        The folder, its networks and their sizes.

    Raises:
        NotEqual: a checkpoint's artifact does not answer as the original.
        UnsafeArtifact: a network does more than calculate.
        BundleError: a bundle is damaged or cannot be played in a browser, or the folder cannot be written.
        AzxError: a colour, the icon or the web app does not fit.

    """
    # Check everything else before a long export.
    place = None if app is None else Path(app)
    find_web(place)
    look = Look(
        title=title,
        author=author,
        icon=None if icon is None else Path(icon),
        accent=None if accent is None else read_colour(accent),
        backgrounds=read_colours(backgrounds),
        url=url,
    )
    look.read_icon()
    precisions = (FP32,) if precision == FP32 else (FP32, precision)
    bundles = bundles_of(one_or_more(nets), Purpose(("tfjs",), precisions=precisions, is_played=True), options, exports)
    done = write(bundles, Path(output), look, app=place, zipped=zipped)
    _LOG.info("%s: a page with %s", done.folder, ", ".join(entry.title for entry in done.bundles))
    return done


@takes_options(Settings, Checkpoint, only=NetOptions)
def write_apk(  # noqa: PLR0913 - each is a keyword
    nets: str | Path | Sequence[str | Path],
    output: str | Path | None = None,
    *,
    name: str,
    key: str | Path,
    password: str | None = None,
    icon: str | Path | None = None,
    identity: str | None = None,
    version: str = "1.0",
    code: int | None = None,
    prepared: str | Path | None = None,
    exports: Exports | None = None,
    **options: Unpack[NetOptions],
) -> App:
    """Write an Android app with networks, signed, for Android 8.0 and later.

    Args:
        nets: a bundle's folder, a checkpoint or a shipped network's name, or several of them. A checkpoint is exported
            and proved first.
        output: the .apk; a file named as the app if left out.
        name: what the app is called.
        key: the key that signs it, PEM or PKCS #12. If the file is missing, azx makes a key there. Keep it: Android
            installs a new version only if the same key signed it.
        password: of the key, if it has one.
        icon: a PNG; a picture of the board if left out.
        identity: its application id, such as "org.example.my_go"; made from its name if left out.
        version: its version.
        code: the number by which Android compares versions; made from `version` if left out.
        prepared: a prepared app other than that of azx-export-android.
        exports: follows the exports of checkpoints.
        options: as below.

    Returns:
        The file, its facts and networks.

    Raises:
        NotEqual: a checkpoint's artifact does not answer as the original.
        UnsafeArtifact: a network does more than calculate.
        BundleError: a bundle is damaged or cannot be played in an app, or the file cannot be written.
        AzxError: name, id, version, icon or key does not fit, or azx-export-android is not installed.

    """
    from ..mobile_assets.apk.keys import make_key, read_key

    facts = facts_of(name, identity, version, code, icon)
    facts.read_icon()
    app, place = prepared_app() if prepared is None else Path(prepared), Path(key)
    signing = read_key(place, password) if place.exists() else make_key(place, name)
    bundles = bundles_of(one_or_more(nets), Purpose(("tflite",), is_played=True), options, exports)
    file = Path(f"{facts.identity.rpartition('.')[2]}.apk") if output is None else Path(output)
    done = make_apk(bundles, facts, signing, file, app)
    _LOG.info("%s: an app with %s", done.file, ", ".join(entry.title for entry in done.bundles))
    return done


def facts_of(name: str, identity: str | None, version: str, code: int | None, icon: str | Path | None) -> Facts:
    """An app's facts, with an id made from its name and a number from its version if they are None."""
    return Facts(
        name=name,
        identity=identity_of(name) if identity is None else identity,
        version=version,
        code=code_of(version) if code is None else code,
        icon=None if icon is None else Path(icon),
    )


@dataclass(frozen=True)
class Serving:
    """A running server: its address and what it serves. `serve_forever` answers until the block or Ctrl-C ends it."""

    server: Server
    site: Site

    @property
    def url(self) -> str:
        """The page's address."""
        return self.server.url

    @property
    def bundles(self) -> tuple[InstalledBundle, ...]:
        """The networks that the page lists now."""
        return self.site.index().bundles

    def serve_forever(self) -> None:
        """Answer requests until KeyboardInterrupt, or until another thread calls `server.shutdown`."""
        self.server.serve_forever()

    def __repr__(self) -> str:
        return f"Serving({self.url!r}: {', '.join(entry.title for entry in self.bundles) or 'no network yet'})"


@takes_options(Settings, Checkpoint, only=NetOptions)
@contextmanager
def serve_networks(
    nets: str | Path | Sequence[str | Path] = (),
    *,
    port: int = PORT,
    lan: bool = False,
    address: str | None = None,
    watch: str | Path | None = None,
    app: str | Path | None = None,
    tell: Callable[[str], None] = no_step,
    exports: Exports | None = None,
    **options: Unpack[NetOptions],
) -> Iterator[Serving]:
    """Serve the page with networks while the block runs; `serve_forever` of what it yields answers requests.

        with azx.serve_networks("connect4", port=0) as serving:
            print(serving.url)
            serving.serve_forever()

    Args:
        nets: bundles, checkpoints or shipped names. Without any: what `azx serve` takes then.
        port: the port; 0 for any free one.
        lan: serve to everyone in this machine's network, by plain http, instead of this machine alone.
        address: the address of this machine that `lan` uses.
        watch: a folder that `watch_folder` writes bundles into, or a run of `train_network`, instead of nets.
        app: a built web app other than azx's own.
        tell: receives a sentence if a damaged bundle cannot be shown.
        exports: follows the exports of checkpoints.
        options: as below.

    Raises:
        NotEqual: a checkpoint's artifact does not answer as the original.
        BundleError: a bundle is damaged, or `watch` is no folder.
        AzxError: the port or the address cannot be used, or the web app is not built.

    """
    place = None if app is None else Path(app)
    find_web(place)  # before a long export
    where, names = (lan_address(address), local_names()) if lan else (ADDRESS, {"localhost"})
    if watch is None:
        site = open_site(bundles_of(one_or_more(nets), SERVE, options, exports), place, tell)
    else:
        site = _watched(Path(watch), find_web(place), tell)
    with listen(site, port, where, names) as server, site.at_work():
        _LOG.info("serving at %s", server.url)
        yield Serving(server, site)


def _watched(folder: Path, web: Path, tell: Callable[[str], None]) -> Site:
    """The site of the best networks of a watch or a run."""
    from ..export.checkpoint.run_folder import RUN
    from ..mobile_assets.followed import LiveSite
    from ..runs.followed import FollowedRun

    if not folder.is_dir():
        raise BundleError(f"There is no folder at '{folder}': give --watch the one that azx watch writes bundles into.")
    return FollowedRun(web, folder, tell) if (folder / RUN).is_file() else LiveSite(web, folder, tell)
