"""Metadata of azx for registries: addresses, the long description, the POM, the SBOM.

The person who publishes sets one variable for all addresses: AZX_REPOSITORY, as https://github.com/OWNER/azx.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from typing import Any
from xml.sax.saxutils import escape

from parts import ROOT, licence_text, parts_of, read_parts, version

AUTHORS = "The azx authors"
VARIABLE = "AZX_REPOSITORY"
UNSET = f"{VARIABLE} is not set: what is built has no addresses, and Maven Central refuses it."
ABOUT = "Plays azx bundles in an app of your own: the rules of its board games, PUCT search, networks in TFLite"


def repository() -> str:
    """The repository's address without a slash at the end; empty if it is not set.

    ValueError if it is not an address.
    """
    address = os.environ.get(VARIABLE, "").rstrip("/")
    if address and not re.fullmatch(r"https://[\w.-]+(/[\w.~-]+)+", address):
        raise ValueError(f"{VARIABLE} is '{address}': give the repository's address, as https://github.com/OWNER/azx.")
    return address


def tag() -> str:
    """The tag of this version."""
    return f"v{version()}"


def long_description(address: str) -> str:
    """README for an index: every link absolute, at this version's tag; without an address its relative links are text.

    Pictures without a known address are left out.
    """
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    at, raw = f"{address}/blob/{tag()}/", f"{address}/raw/{tag()}/"
    local = r"(?![a-z]+:|#|//)"
    if address:
        text = re.sub(rf"(\]\(){local}([^)]+)\)", lambda found: f"{found[1]}{at}{found[2]})", text)
        text = re.sub(rf'(<img src="){local}([^"]+)"', lambda found: f'{found[1]}{raw}{found[2]}"', text)
        return text.replace("git clone <this repository>", f"git clone {address}.git")
    text = re.sub(rf'<img src="{local}[^>]*>\n*', "", text)
    return re.sub(rf"\[([^\]]+)\]\({local}[^)]+\)", r"\1", text)


def pyproject(address: str) -> str:
    """pyproject.toml as it is published: with authors, addresses and the long description in README-index.md."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return with_addresses(text.replace('readme = "README.md"', 'readme = "README-index.md"', 1), address)


def with_addresses(text: str, address: str) -> str:
    """A pyproject.toml with the project's addresses; unchanged without an address."""
    if not address:
        return text
    urls = {
        "Homepage": address,
        "Documentation": f"{address}/blob/{tag()}/docs",
        "Changelog": f"{address}/blob/{tag()}/CHANGELOG.md",
        "Issues": f"{address}/issues",
        "Source": f"{address}/tree/{tag()}",
    }
    table = "".join(f'{name} = "{url}"\n' for name, url in urls.items())
    after = re.compile(r"^\[(project\.scripts|tool\.setuptools)\]", re.MULTILINE)
    return after.sub(rf"[project.urls]\n{table}\n[\1]", text, count=1)


def package_json(address: str) -> str:
    """package.json of azx-play as it is published."""
    data = json.loads((ROOT / "apps/web/play/package.json").read_text(encoding="utf-8"))
    if address:
        data["repository"] = {"type": "git", "url": f"git+{address}.git", "directory": "apps/web/play"}
        data["homepage"], data["bugs"] = f"{address}/blob/{tag()}/docs/in-your-app.md", {"url": f"{address}/issues"}
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def pom(address: str) -> str:
    """The POM of azx-play for Android, with all that Maven Central asks for; without addresses if there is none."""
    known = read_parts()
    places = ""
    if address:
        git = f"{escape(address)}.git"
        places = f"""
    <url>{escape(address)}</url>
    <scm>
        <url>{escape(address)}/tree/{tag()}</url>
        <connection>scm:git:{git}</connection>
        <developerConnection>scm:git:{git}</developerConnection>
        <tag>{tag()}</tag>
    </scm>"""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0"
         xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
         xsi:schemaLocation="http://maven.apache.org/POM/4.0.0 http://maven.apache.org/xsd/maven-4.0.0.xsd">
    <modelVersion>4.0.0</modelVersion>
    <groupId>org.azx</groupId>
    <artifactId>azx-play</artifactId>
    <version>{version()}</version>
    <name>azx-play</name>
    <description>{ABOUT}</description>{places}
    <licenses>
        <license>
            <name>Apache-2.0</name>
            <url>https://www.apache.org/licenses/LICENSE-2.0.txt</url>
            <distribution>repo</distribution>
        </license>
    </licenses>
    <developers>
        <developer>
            <name>{AUTHORS}</name>
        </developer>
    </developers>
    <dependencies>
        <dependency>
            <groupId>org.jetbrains.kotlin</groupId>
            <artifactId>kotlin-stdlib</artifactId>
            <version>{known["kotlin-stdlib"].version}</version>
        </dependency>
    </dependencies>
</project>
"""


# What Maven Central asks of a POM.
NEEDED_IN_POM = ("name", "description", "url", "licenses/license/name", "developers/developer/name", "scm/url")


def sbom(address: str) -> dict[str, Any]:
    """The bill of materials (CycloneDX 1.6) of a whole release; equal sources give equal bills."""
    known = read_parts()
    components, depends = [], []
    python = _python_needs()
    products = {
        "page": ("azx-page", "pkg:generic/azx-page"),
        "apk": ("azx-app", "pkg:generic/azx-app"),
        "wheel": ("azx-export", "pkg:pypi/azx-export"),
        "npm": ("azx-play", "pkg:npm/azx-play"),
        "maven": ("azx-play (Android)", "pkg:maven/org.azx/azx-play"),
    }
    for product, (name, purl) in products.items():
        ref = f"{purl}@{version()}"
        components.append(_component(ref, name, version(), "Apache-2.0", "application", purl=ref))
        held = [part.purl or f"linked:{part.name}" for part in parts_of(product, known)]
        if product == "wheel":
            held = [f"pkg:generic/azx-page@{version()}", *python]
        if product == "npm":
            held = [known["@noble/hashes"].purl]
        if product == "maven":
            held = [known["kotlin-stdlib"].purl]
        depends.append({"ref": ref, "dependsOn": sorted(held)})
    for part in known.values():
        ref = part.purl or f"linked:{part.name}"
        components.append(
            _component(ref, part.name, part.version, part.licence, "library", purl=part.purl, home=part.home)
        )
        depends.append({"ref": ref, "dependsOn": sorted(known[name].purl or f"linked:{name}" for name in part.holds)})
    for ref, (name, number) in python.items():
        components.append(_component(ref, name, number, "", "library", purl=ref, scope="optional"))
    about: dict[str, Any] = {"type": "application", "name": "azx", "version": version(), "bom-ref": f"azx@{version()}"}
    if address:
        about["externalReferences"] = [{"type": "vcs", "url": address}]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": about, "licenses": [{"license": {"id": "Apache-2.0"}}]},
        "components": sorted(components, key=lambda each: each["bom-ref"]),
        "dependencies": sorted(depends, key=lambda each: each["ref"]),
    }


def _component(
    ref: str, name: str, number: str, licence: str, kind: str, *, purl: str = "", home: str = "", scope: str = ""
) -> dict[str, Any]:
    component: dict[str, Any] = {"type": kind, "bom-ref": ref, "name": name}
    if number:
        component["version"] = number
    if scope:
        component["scope"] = scope
    if licence.startswith("LicenseRef"):
        component["licenses"] = [{"license": {"name": licence, "text": {"content": licence_text(licence)}}}]
    elif " WITH " in licence:
        component["licenses"] = [{"expression": licence}]
    elif licence:
        component["licenses"] = [{"license": {"id": licence}}]
    if purl:
        component["purl"] = purl
    if home:
        component["externalReferences"] = [{"type": "website", "url": home}]
    return component


def _python_needs() -> dict[str, tuple[str, str]]:
    """The wheel's requirements in the tested versions: name and version by package URL."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    required = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]
    names = {re.split(r"[<>=!\[; ]", each)[0] for each in required} - {"azx-export"}
    locks = [ROOT / "requirements/py312.lock", ROOT / "requirements/coreai.lock"]
    text = "".join(path.read_text(encoding="utf-8") for path in locks)
    locked = dict(re.findall(r"^([a-z0-9-]+)==([^ ]+)", text, re.MULTILINE))
    return {f"pkg:pypi/{name}@{locked[name]}": (name, locked[name]) for name in sorted(names)}
