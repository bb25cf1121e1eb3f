/** The system's accent colour in place of the page's own, where a person wants it and it can be read; boards keep theirs. */

import { byId, element } from "../dom/Dom";

/** Red, green and blue, 0 to 255. */
export type Colour = readonly [number, number, number];

/** What texts need against what they stand on. */
const LEAST_CONTRAST = 4.5;

/** How much of the ink a colour may have, so that it is read and still the system's. */
const SHARES = [0, 0.1, 0.2, 0.3, 0.4];
const INKS: readonly Colour[] = [
  [255, 255, 255],
  [0, 0, 0],
];

export const hasAccent = (): boolean =>
  CSS.supports("color", "AccentColor") && CSS.supports("color", "AccentColorText");

/** An accent and what is written on it. */
export interface Accent {
  readonly colour: Colour;
  readonly ink: Colour;
}

/**
 * A system's accent with as little of the page's ink as it needs to be read on all `grounds`, and what is read on it:
 * the system's own ink if that is. null if it takes too much.
 */
export function readable(accent: Accent, grounds: readonly Colour[], ink: Colour): Accent | null {
  for (const share of SHARES) {
    const colour = mix(accent.colour, ink, share);
    const on = [accent.ink, ...INKS].find((each) => contrast(each, colour) >= LEAST_CONTRAST);
    if (on && grounds.every((ground) => contrast(colour, ground) >= LEAST_CONTRAST)) return { colour, ink: on };
  }
  return null;
}

const mix = (one: Colour, other: Colour, share: number): Colour =>
  one.map((value, at) => Math.round(value + share * ((other[at] ?? 0) - value))) as unknown as Colour;

/** As WCAG has it: 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((first, second) => second - first) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Colour the page by the system's accent, or by its own; false if the system's cannot be read. */
export function takeAccent(isWanted: boolean): boolean {
  const root = document.documentElement.style;
  for (const name of ["--accent", "--accent-ink"]) root.removeProperty(name);
  byId("board").style.removeProperty("--accent");
  if (!isWanted) return true;
  const own = getComputedStyle(document.documentElement).getPropertyValue("--accent");
  const [colour, on, card, paper, ink] = coloursOf(
    "AccentColor",
    "AccentColorText",
    "var(--card)",
    "var(--paper)",
    "var(--ink)",
  );
  if (!colour || !on || !card || !paper || !ink) return false;
  const accent = readable({ colour, ink: on }, [card, paper], ink);
  if (!accent) return false;
  byId("board").style.setProperty("--accent", own);
  root.setProperty("--accent", `rgb(${accent.colour.join(" ")})`);
  root.setProperty("--accent-ink", `rgb(${accent.ink.join(" ")})`);
  return true;
}

/** What colours of the style sheet come to, in the scheme that the page has now. */
function coloursOf(...names: readonly string[]): readonly (Colour | undefined)[] {
  const probe = element("span", { hidden: true });
  document.body.append(probe);
  const colours = names.map((name) => {
    probe.style.color = name;
    const [red, green, blue] = [...getComputedStyle(probe).color.matchAll(/[\d.]+/g)].map(Number);
    return red === undefined || green === undefined || blue === undefined ? undefined : ([red, green, blue] as const);
  });
  probe.remove();
  return colours;
}
