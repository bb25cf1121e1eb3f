/** Where the lens over a finger stands: above it or beside it, never under it, and always whole. */

import { describe, expect, it } from "vitest";

import { middleOf, needsLens, zoomOf } from "../../src/page/touch/Lens";

const RADIUS = 72;

describe("a lens", () => {
  it("is for points that are closer than 32 pixels, which are 44 apart in it, or half as large again", () => {
    expect([31.9, 32, 60].map(needsLens)).toEqual([true, false, false]);
    expect([22, 31].map(zoomOf)).toEqual([2, 1.5]);
  });

  it("stands above the finger where there is room, and within the window", () => {
    expect(middleOf([200, 300], 390)).toEqual([200, 200]);
    expect(middleOf([10, 300], 390)).toEqual([RADIUS, 200]);
    expect(middleOf([385, 300], 390)).toEqual([390 - RADIUS, 200]);
    expect(middleOf([200, 172], 390)).toEqual([200, RADIUS]);
  });

  it("stands beside the finger near the upper edge, and under it nowhere", () => {
    for (let x = 0; x <= 390; x += 5) {
      for (const y of [0, 60, 171]) {
        const [middle, height] = middleOf([x, y], 390);
        expect(Math.abs(middle - x), `${x}, ${y}`).toBeGreaterThan(RADIUS);
        expect(middle >= RADIUS && middle <= 390 - RADIUS, `${x}, ${y}: ${middle}`).toBe(true);
        expect(height).toBe(RADIUS);
      }
    }
  });

  it("is on the left of a finger that has room for it there, else on its right", () => {
    expect(middleOf([171, 20], 390)[0]).toBe(271);
    expect(middleOf([172, 20], 390)[0]).toBe(RADIUS);
  });
});
