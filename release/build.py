#!/usr/bin/env -S python3 -P
"""Build all that is published into dist/release, check it, install it, and list what is left to do: `make release`.

Make builds the page, the jar, the AAR and the APKs first.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import account
import checks
import installed
import making
import metadata
from making import OUT, WORK, pack
from parts import ROOT, version

# Steps that a person must do for every release.
LEFT = (
    "approve the workflow's environment 'release': it publishes to PyPI, npm and the container registry",
    "sign and upload maven/ at Maven Central, which wants a key of yours",
    "sign the APK with your own key before a store gets it; the iOS app needs a Mac and Xcode",
    "the container image is built by the workflow: Docker does not run in `make release`",
)


def build(address: str) -> dict[str, list[str]]:
    """Make and check all; returns the passed checks of each product, by its name in OUT."""
    made: dict[str, list[str]] = {}
    wheel = making.build_wheel(address)
    made[wheel.name] = list(checks.check_wheel(wheel))
    sources = making.build_sdist(address)
    made[sources.name] = list(checks.check_sdist(sources, wheel))
    android = making.build_android_wheel(address)
    made[android.name] = list(checks.check_android_wheel(android))
    package = making.build_npm(address)
    made[package.name] = list(checks.check_npm(package))
    made["maven/"] = list(checks.check_maven(making.build_maven(address), address))
    apk = Path(shutil.copy(making.APP / "azx-debug.apk", OUT / f"azx-{version()}-debug.apk"))
    made[apk.name] = [f"{len(account.account(apk))} files, each accounted for; signed with this machine's debug key"]
    page = OUT / f"azx-page-{version()}.zip"
    pack(page, account.read_product(ROOT / "apps/web/dist"))
    made[page.name] = [f"{len(account.account(ROOT / 'apps/web/dist'))} files, each accounted for"]
    bill = OUT / f"azx-{version()}.cdx.json"
    bill.write_text(json.dumps(metadata.sbom(address), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    made[bill.name] = list(checks.check_bill(bill))
    made["SHA256SUMS"] = [f"{checks.sums()} files"]
    return made


def main() -> None:
    """Build all, check all, and list it."""
    address = metadata.repository()
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    WORK.mkdir(parents=True, exist_ok=True)
    made = build(address)
    here = {
        "Dockerfile": list(checks.check_image()),
        "Package.swift": list(checks.check_swift()) or ["not checked: Swift does not run here"],
        "installed as docs/releasing.md prints it": list(installed.check_installed()),
    }
    print(f"\nMade in {OUT.relative_to(ROOT)}, from {metadata.tag()} and this commit:")
    for name, held in (made | here).items():
        print(f"  {name}")
        for check in held:
            print(f"    {'' if check.startswith('not checked') else 'checked: '}{check}")
    print("\nLeft for a person (docs/releasing.md says how):")
    tagged = f"git tag -s {metadata.tag()} -m 'azx {version()}' && git push origin {metadata.tag()}: SwiftPM goes by it"
    for line in (*([metadata.UNSET] if not address else []), tagged, *LEFT):
        print(f"  - {line}")


if __name__ == "__main__":
    try:
        main()
    except (account.Unaccounted, account.LicenceError, ValueError) as error:
        sys.exit(f"release: {error}")
