"""`azx apk`: networks as an Android app, without Android Studio."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .options import from_fields, options
from .options.grouped import command
from .printed import output

if TYPE_CHECKING:
    from ..mobile_assets.apk.make import App

PASSWORD = "AZX_KEY_PASSWORD"  # noqa: S105 - the variable's name


@command()
@click.argument("nets", nargs=-1, required=True, type=options.FILE, metavar="NET...")
@options.file_option("-o", "--output", "path", metavar="FILE.apk", help="The app; default a file named as the app.")
@click.option("--name", required=True, metavar="TEXT", help="What the app is called.")
@options.file_option("--icon", metavar="FILE.png", help="Its icon; default a picture of the board.")
@click.option("--id", "identity", metavar="ID", help="Its application id, such as org.example.my_go; default its name.")
@click.option("--version", default="1.0", show_default=True, metavar="TEXT", help="Its version.")
@click.option(
    "--version-code",
    "code",
    type=int,
    metavar="N",
    help="The number by which Android compares versions; default from --version: 1.2.3 is 10203.",
)
@options.file_option("--key", help="The key that signs it, PEM or PKCS #12; default one that azx makes and keeps.")
@options.file_option("--prepared", metavar="FILE.apk", help="A prepared app other than that of azx-export-android.")
@from_fields.checkpoint_options
@options.json_option
def apk(nets: tuple[Path, ...], path: Path | None, prepared: Path | None, as_json: bool, **chosen: Any) -> None:
    """Write an Android app with which people play NETS, signed, for Android 8.0 and later.

    NET is a bundle's folder, a checkpoint, or the name of a shipped network. A checkpoint is first exported and proved
    (exit code 3 if the proof fails). The options in "What the file does not say" are for checkpoints.

    The app comes prepared with the package azx-export-android: no source tree, Android SDK or Java is needed. Without
    --key azx makes a key beside the first NET, and uses it again for the next version. Keep it: Android installs a new
    version only if the same key signed it. The password of a key of yours is asked for, or taken from AZX_KEY_PASSWORD.
    """
    from ..mobile_assets.apk.make import prepared_app
    from ..verbs.publishing import facts_of, write_apk
    from .options.nets import PrintedExports, check_for_checkpoints

    facts = {name: chosen.pop(name) for name in ("name", "identity", "version", "code", "icon")}
    own_key = chosen.pop("key")
    check_for_checkpoints(nets, chosen)
    # Check everything before a key is made.
    facts_of(**facts).read_icon()
    prepared = prepared or prepared_app()
    key, password = (own_key, _password_of(own_key)) if own_key else (_kept_key(nets, facts["name"], as_json), None)
    signed: dict[str, Any] = {"key": key, "password": password, "prepared": prepared}
    _print(write_apk(nets, path, exports=PrintedExports("an app", as_json), **facts, **signed, **chosen), as_json)


def _password_of(path: Path) -> str | None:
    """The password of the user's key: asked for if the key needs one and the environment has none.

    AzxError if the key cannot be read.
    """
    from ..errors import AzxError
    from ..mobile_assets.apk.keys import read_key

    password = os.environ.get(PASSWORD)
    try:
        read_key(path, password)
    except AzxError:
        if password is not None or not path.is_file() or not os.isatty(0):
            raise
        return str(click.prompt(f"Password of {path}", hide_input=True, err=True))
    return password


def _kept_key(nets: Sequence[Path], name: str, as_json: bool) -> Path:
    """The key beside the first net, which is made if it is missing."""
    from ..mobile_assets.apk.keys import make_key

    first = nets[0].resolve()
    stem = first.name if first.is_dir() else first.stem
    path = first.with_name(f"{stem}.apk-key.pem") if first.exists() else Path(f"{stem}.apk-key.pem").resolve()
    if path.exists():
        return path
    make_key(path, name)
    if not as_json:
        output.line(f"{path}: a new key, which signs this app", good=True)
        output.warning(
            "Keep a copy of it, and show it to nobody. If you lose it, no new version can be installed over this app: "
            "people must remove it first, and their games go with it. Whoever has it can sign a version as yours."
        )
    return path


def _print(done: App, as_json: bool) -> None:
    facts = done.facts
    if as_json:
        listed = [entry.as_data() for entry in done.bundles]
        about = {"name": facts.name, "id": facts.identity, "version": facts.version, "version_code": facts.code}
        output.print_json({"file": done.file, "bytes": done.size, **about, "bundles": listed})
        return
    games = ", ".join(entry.title for entry in done.bundles)
    output.line(f"{done.file}: {facts.name}, an app with {games}", good=True)
    output.line(
        f"  {output.megabytes(done.size)}, id {facts.identity}, version {facts.version} ({facts.code}), signed by APK "
        "Signature Scheme v2 and v3"
    )
    for entry in done.bundles:
        for doubt in entry.doubts:
            output.warning(doubt)
    output.line(f"Next: send the file to a phone and open it there, or adb install '{done.file}'.")
