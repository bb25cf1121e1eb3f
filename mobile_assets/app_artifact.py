"""Chooses a bundle's artifact for an app, its precision, and what accompanies it."""

from __future__ import annotations

from pathlib import Path

from ..bundle.contents.manifest import is_sound
from ..bundle.contents.unwritten import why_not_written
from ..errors import BundleError
from ..export.formats.precisions.precision import AUTO, FP32
from ..export.formats.table import FORMATS
from ..manifest import Artifact, Manifest
from ..validate.door.look import look_at_all

# A browser plays the TF.js artifact. It may later fetch LiteRT.js, which plays TFLite artifacts of these precisions.
LITE = ("fp32", "int8-dynamic")


def for_platform(
    bundle: Path, manifest: Manifest, platform: str | None, precision: str | None = None
) -> Artifact | None:
    """The artifact that an app of `platform` plays, None without a platform; BundleError if it is missing.

    A `precision` of "auto" chooses the smallest artifact inside its gate. If it is left out, a browser, which waits
    for every byte, plays that one too, and all other apps play the recommended one.
    """
    if platform is None:
        return None
    recommended = manifest.artifact(manifest.recommended.get(platform, ""))
    wanted = next(entry for entry in FORMATS.values() if entry.platform == platform)
    if recommended is None:
        an_app = {"android": "an Android app", "ios": "an iOS app", "web": "a web app"}[platform]
        checkpoint = manifest.checkpoint.file
        if reason := why_not_written(bundle, wanted.name):
            raise BundleError(
                f"'{bundle}' holds no {wanted.title} artifact, which {an_app} loads, and its export could not write "
                f"one ({reason}): build the network without that, train it again, or give an app what the bundle has."
            )
        raise BundleError(
            f"'{bundle}' holds no {wanted.title} artifact, which {an_app} loads: "
            f"add it with `azx export '{checkpoint}' --format {wanted.name} -o '{bundle}'`."
        )
    sound = [item for item in manifest.artifacts if item.format == wanted.name and is_sound(item)]
    if precision == AUTO or (precision is None and platform == "web"):
        return min((recommended, *sound), key=lambda item: manifest.size_of(item.path))
    if precision is None:
        return recommended
    in_precision = next((item for item in sound if item.precision == precision), None)
    if in_precision is None:
        has = ", ".join(sorted({item.precision for item in sound}))
        raise BundleError(
            f"'{bundle}' holds no {wanted.title} artifact in {precision} that is inside its gate: it has {has}; "
            f"export it with --precision, or choose one of those."
        )
    return in_precision


def look_through(bundle: Path, manifest: Manifest, artifact: Artifact | None) -> None:
    """Check the artifacts that an app playing `artifact` gets, all if it is None; UnsafeArtifact as `look_at_all`.

    A format whose schema is not installed here is not checked: the files are copied, not run, and each app checks them
    again before it runs them.
    """
    look_at_all(
        (item.format, bundle / item.path)
        for item in manifest.artifacts
        if item.format in FORMATS and (artifact is None or goes_along(item, artifact))
    )


def goes_along(item: Artifact, artifact: Artifact) -> bool:
    """Whether an artifact of the bundle accompanies the one that an app plays.

    A browser gets float32 beside a lower precision, for visitors who prefer it, and the artifacts for LiteRT.js.
    """
    if item.path == artifact.path:
        return True
    if artifact.format != "tfjs":
        return False
    lite = item.format == "tflite" and item.precision in LITE and is_sound(item)
    return lite or (item.format == artifact.format and item.precision == FP32)
