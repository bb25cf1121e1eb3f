/** The system's accent on the page: as it is where it can be read, else with some ink, else not at all. */

import { describe, expect, it } from "vitest";

import { type Colour, contrast, readable } from "../../src/page/device/Accent";

const WHITE: Colour = [255, 255, 255];
const BLACK: Colour = [0, 0, 0];
/** A page's grounds and its ink, light and dark. */
const LIGHT = [
  [
    [255, 254, 251],
    [243, 241, 236],
  ],
  [28, 26, 23],
] as const satisfies readonly [readonly Colour[], Colour];
const DARK = [
  [
    [29, 27, 24],
    [19, 18, 16],
  ],
  [243, 239, 231],
] as const satisfies readonly [readonly Colour[], Colour];

describe("a system's accent", () => {
  it("is taken as it is where it can be read on the page, with the system's own ink on it", () => {
    const violet = { colour: [90, 40, 160], ink: WHITE } as const;
    expect(readable(violet, ...LIGHT)).toEqual(violet);
    const pale = { colour: [150, 190, 255], ink: BLACK } as const;
    expect(readable(pale, ...DARK)).toEqual(pale);
  });

  it("has some of the page's ink where it could not be read, and no more than it needs", () => {
    const blue = { colour: [0, 117, 255], ink: WHITE } as const;
    const found = readable(blue, ...LIGHT);
    expect(found?.colour).toEqual([6, 99, 209]);
    for (const ground of LIGHT[0]) expect(contrast(found?.colour ?? ground, ground)).toBeGreaterThanOrEqual(4.5);
    const dim = { colour: [90, 40, 160], ink: WHITE } as const;
    const lit = readable(dim, ...DARK);
    for (const ground of DARK[0]) expect(contrast(lit?.colour ?? ground, ground)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(lit?.ink ?? WHITE, lit?.colour ?? WHITE)).toBeGreaterThanOrEqual(4.5);
  });

  it("is not taken where it would not be the system's any more", () => {
    expect(readable({ colour: [255, 255, 0], ink: BLACK }, ...LIGHT)).toBeNull();
    expect(readable({ colour: [0, 0, 40], ink: WHITE }, ...DARK)).toBeNull();
  });

  it("has another ink on it where the system's own is hard to read", () => {
    expect(readable({ colour: [90, 40, 160], ink: [100, 60, 170] }, ...LIGHT)?.ink).toEqual(WHITE);
  });

  it("is measured as WCAG has it", () => {
    expect(contrast(WHITE, BLACK)).toBeCloseTo(21);
    expect(contrast([119, 119, 119], WHITE)).toBeCloseTo(4.48, 2);
  });
});
