"""A page's title, author, icon and colours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...errors import AzxError
from ...pages.png import Picture, read_png

Colour = tuple[int, int, int]
# Colours of the web app's style sheet, for light and dark: two backgrounds of text, and the text.
CARDS: tuple[Colour, Colour] = ((255, 254, 251), (29, 27, 24))
PAPERS: tuple[Colour, Colour] = ((243, 241, 236), (19, 18, 16))
INKS: tuple[Colour, Colour] = ((28, 26, 23), (243, 239, 231))
SOFT: tuple[Colour, Colour] = ((90, 85, 78), (185, 178, 166))
ACCENT: Colour = (28, 43, 74)
WHITE, BLACK = (255, 255, 255), (0, 0, 0)
# The contrast that WCAG asks of texts.
LEAST_CONTRAST = 4.5
MOST_LETTERS = 60


@dataclass(frozen=True)
class Look:
    """A page's own words and colours; None for what the page has without them.

    `backgrounds` has the page's colour in light, in dark, or in both. `url` is where the page will be: previews of a
    link need whole addresses.
    """

    title: str | None = None
    author: str | None = None
    icon: Path | None = None
    accent: Colour | None = None
    backgrounds: tuple[Colour, ...] = ()
    url: str | None = None

    def __post_init__(self) -> None:
        for name, text in (("title", self.title), ("author", self.author)):
            if text is not None and not (text.strip() and text.isprintable() and len(text) <= MOST_LETTERS):
                raise AzxError(f"The {name} {text!r} must be a line of 1 to {MOST_LETTERS} letters: give another one.")
        if self.url is not None and not re.fullmatch(r"https?://[^\s\"'<>?#]+", self.url):
            raise AzxError(
                f"The address {self.url!r} is not that of a page: give one such as https://example.org/play/."
            )
        if len({_is_light(each) for each in self.backgrounds}) < len(self.backgrounds):
            raise AzxError("Two backgrounds are for one light and one dark: give a light colour and a dark one.")
        for each in self.backgrounds:
            light = _is_light(each)
            if min(contrast(each, ink[not light]) for ink in (INKS, SOFT)) < LEAST_CONTRAST:
                kind = "lighter" if light else "darker"
                raise AzxError(f"The background {as_hex(each)} is too dim to read texts on: give a {kind} one.")

    def read_icon(self) -> Picture | None:
        """Its own icon; None if there is none, AzxError if the file is no PNG."""
        return None if self.icon is None else read_png(self.icon)

    @property
    def theme(self) -> Colour:
        """The colour of a browser's bar, and of the background of the board in pictures."""
        return self.accent or ACCENT

    @property
    def paper(self) -> Colour:
        """The light background, or the dark one if only that is given."""
        return next((each for each in self.backgrounds if _is_light(each)), (*self.backgrounds, PAPERS[0])[0])

    def style(self) -> str:
        """The colours as variables of the web app's style sheet; empty if none is given."""
        lines = []
        if self.accent is not None:
            # The same colour in both, lighter or darker as far as texts need it.
            light, dark = (readable(self.accent, card) for card in CARDS)
            inks = [max((WHITE, BLACK), key=lambda ink, on=on: contrast(ink, on)) for on in (light, dark)]  # type: ignore[misc]
            lines += [_variable("accent", light, dark), _variable("accent-ink", *inks)]
        if self.backgrounds:
            light = next((each for each in self.backgrounds if _is_light(each)), PAPERS[0])
            dark = next((each for each in self.backgrounds if not _is_light(each)), PAPERS[1])
            lines.append(_variable("paper", light, dark))
        return f":root{{{''.join(lines)}}}\n" if lines else ""


def read_colour(text: str) -> Colour:
    """The colour of `#RRGGBB` or `#RGB`; AzxError for anything else."""
    digits = text.strip().removeprefix("#")
    if re.fullmatch(r"[0-9a-fA-F]{3}", digits):
        digits = "".join(digit * 2 for digit in digits)
    if not re.fullmatch(r"[0-9a-fA-F]{6}", digits):
        raise AzxError(f"{text!r} is no colour: give one such as '#0b6e5f'.")
    red, green, blue = bytes.fromhex(digits)
    return red, green, blue


def read_colours(texts: Sequence[str]) -> tuple[Colour, ...]:
    """Each text as a colour; AzxError if one is none."""
    return tuple(map(read_colour, texts))


def as_hex(colour: Colour) -> str:
    """#rrggbb."""
    return "#" + bytes(colour).hex()


def contrast(one: Colour, other: Colour) -> float:
    """The contrast of texts in one colour on the other, 1 to 21, by WCAG."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def readable(colour: Colour, ground: Colour) -> Colour:
    """The colour, mixed with enough black or white for readable texts on this background."""
    end = BLACK if _is_light(ground) else WHITE
    for step in range(51):
        red, green, blue = (round(part + (whole - part) * step / 50) for part, whole in zip(colour, end, strict=True))
        if contrast((red, green, blue), ground) >= LEAST_CONTRAST:
            return red, green, blue
    return end


def _variable(name: str, light: Colour, dark: Colour) -> str:
    return f"--{name}:light-dark({as_hex(light)},{as_hex(dark)});"


def _is_light(colour: Colour) -> bool:
    return _luminance(colour) > 0.18


def _luminance(colour: Colour) -> float:
    parts = [part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
