"""The built web app's own files, rewritten for a page: index.html, the list of the service worker, the web manifest."""

from __future__ import annotations

import hashlib
import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import AzxError
from .look import Look, as_hex

PICTURE, PICTURE_SIZE = "picture.png", (1200, 630)
ICONS = (192, 512)
# Files that a page leaves out. LiteRT.js, which only visitors choose, is three times as large as all else.
LEFT_OUT = re.compile(r"assets/(Lite|litert_wasm)[^/]*|icon.*|(page|parts)\.json|\.nojekyll")
# The credits of the app's parts. The page loads them only on request, and works offline without them.
NOTICES = "notices.txt"
# Styles of both pages. With `alone` a page shows only the board and its buttons.
STYLE = """\
h1{min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
#author{padding:.6rem 1rem 1rem;color:var(--soft);text-align:center;font-size:.85rem;overflow-wrap:anywhere}
@media (max-width:34rem){h1{max-width:40vw}}
.alone :is(header,aside,#author,#library,#see-replay){display:none!important}
.alone main{max-width:none;padding:.4rem}
.alone #play{display:block!important}
.alone #table{--wide:min(100%,100dvh - 13.5rem)!important}
"""
# If a page is opened from the disk, browsers refuse its modules. This script is not a module, so it runs.
FROM_DISK = """\
if (location.protocol === "file:") {
  const note = document.getElementById("starting");
  note.removeAttribute("data-text");
  note.style.animation = "none";
  note.textContent = "Browsers run this page from a web server alone: put its folder on one, or type " +
    "python3 -m http.server in the folder and open the address that it names.";
}
"""


@dataclass(frozen=True)
class Words:
    """A page's words: its title, one sentence about it, and its author if there is one."""

    title: str
    description: str
    author: str | None


def style_of(look: Look) -> str:
    """The style sheet that comes after the app's."""
    return look.style() + STYLE


def named_by_content(stem: str, suffix: str, text: str) -> str:
    """The path of a file that browsers may keep for ever."""
    return f"assets/{stem}-{hashlib.sha256(text.encode()).hexdigest()[:8]}.{suffix}"


def page_of(text: str, words: Words, look: Look, style: str, script: str) -> str:
    """index.html with a page's own title, colours and preview; `style` and `script` are the paths of its files.

    AzxError if the text is that of another app's page.
    """
    title = html.escape(words.title)
    changes = [
        ("<title>azx</title>", f"<title>{title}</title>"),
        ('<h1><a href="#">azx</a></h1>', f'<h1><a href="#">{title}</a></h1>'),
        (r'<meta name="description" content="[^"]*">', _meta("name", "description", words.description)),
        (r'<meta name="theme-color" content="[^"]*">', _meta("name", "theme-color", as_hex(look.theme))),
        (r'<link rel="icon" [^>]*>', '<link rel="icon" href="./icon-192.png" type="image/png">'),
        ("</head>", f'{_preview(words, look)}<link rel="stylesheet" href="./{style}">\n</head>'),
        (
            "</main>",
            "</main>" + (f'\n<footer id="author">{html.escape(words.author)}</footer>' if words.author else ""),
        ),
        ("</body>", f'<script src="./{script}"></script>\n</body>'),
        (r'<label><input type="radio" name="backend" value="litert">.*?</label>\n', ""),
        (r'<label><input type="radio" name="backend" value="litert-int8">.*?</label>\n', ""),
        (r'<p id="litert-about"[^>]*></p>\n', ""),
    ]
    for old, new in changes:
        text = _replace(text, old, new, "index.html")
    return text


def board_of(text: str) -> str:
    """The page of `page_of` as a single board, for a frame in somebody's own page."""
    return _replace(text, '<html lang="en">', '<html lang="en" class="alone">', "index.html")


def _preview(words: Words, look: Look) -> str:
    """The tags by which other programs show a preview of a link to the page."""
    base = "./" if look.url is None else look.url.removesuffix("/") + "/"
    width, height = PICTURE_SIZE
    facts = [
        ("og:type", "website"),
        ("og:title", words.title),
        ("og:description", words.description),
        ("og:image", base + PICTURE),
        ("og:image:width", str(width)),
        ("og:image:height", str(height)),
        *([("og:url", base)] if look.url else []),
    ]
    lines = [_meta("property", name, content) for name, content in facts]
    lines.append(_meta("name", "twitter:card", "summary_large_image"))
    if words.author:
        lines.append(_meta("name", "author", words.author))
    return "".join(f"{line}\n" for line in lines)


def web_manifest(text: str, words: Words, look: Look) -> str:
    """app.webmanifest: the name and the look of the page for people who install it."""
    data: dict[str, Any] = json.loads(text)
    icons = [{"src": f"./icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png"} for size in ICONS]
    data |= {
        "name": words.title,
        "short_name": words.title,
        "description": words.description,
        "background_color": as_hex(look.paper),
        "theme_color": as_hex(look.theme),
        "icons": [*icons, {**icons[-1], "purpose": "maskable"}],
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def worker_of(text: str, files: Mapping[str, str]) -> str:
    """The service worker sw.js for files by path and hash, with their list and a version that changes with them."""
    listed = json.dumps(json.dumps(sorted(files), ensure_ascii=False, separators=(",", ":")))
    facts = "".join(f"{path} {digest}\n" for path, digest in sorted(files.items()))
    version = hashlib.sha256(facts.encode()).hexdigest()[:16]
    text = _replace(text, r'JSON\.parse\("\[(?:[^"\\]|\\.)*\]"\)', f"JSON.parse({listed})", "sw.js")
    return _replace(text, r"(?<![0-9a-f])[0-9a-f]{16}(?![0-9a-f])", version, "sw.js")


def _meta(kind: str, name: str, content: str) -> str:
    return f'<meta {kind}="{name}" content="{html.escape(content)}">'


def _replace(text: str, old: str, new: str, file: str) -> str:
    """Replace the one place that `old`, a regular expression, finds."""
    made, count = re.subn(old, lambda _: new, text, flags=re.DOTALL)
    if count != 1:
        raise AzxError(f"The built web app's {file} is not as this azx knows it: run `make web`, or leave --app out.")
    return made
