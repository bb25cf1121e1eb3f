import { expect, it } from "vitest";
import { cornersOf, extentOf, middleOf } from "../../src/page/boards/HexBoard";
import { starPoints } from "../../src/page/boards/Wood";
import { moveAt } from "../../src/page/display/Graph";

const asText = (size: number): string =>
  starPoints(size)
    .map((point) => point.join())
    .join(" ");

it("marks the star points that a board of each size has", () => {
  expect(asText(9)).toBe("2,2 2,6 4,4 6,2 6,6");
  expect(asText(13)).toBe("3,3 3,9 6,6 9,3 9,9");
  expect(asText(15)).toBe("3,3 3,11 7,7 11,3 11,11");
  expect(asText(19)).toBe("3,3 3,9 3,15 9,3 9,9 9,15 15,3 15,9 15,15");
  expect([5, 8].map(asText)).toEqual(["", ""]);
  expect(asText(10)).toBe("2,2 2,7 7,2 7,7");
});

it("lays the hexagons of a rhombus so that those that touch share two corners, and all lie within it", () => {
  const size = 5;
  const corners = (at: number): string[] =>
    cornersOf(at, size).map((point) => point.map((each) => each.toFixed(6)).join());
  const shared = (one: number, other: number): number =>
    corners(one).filter((corner) => corners(other).includes(corner)).length;
  const touching = Array.from({ length: size * size }, (_, at) => at).filter((at) => shared(12, at) === 2);
  // The six of the rules.
  expect(touching).toEqual([7, 8, 11, 13, 16, 17]);
  const [width, height] = extentOf(size);
  for (let at = 0; at < size * size; at++) {
    const [x, y] = middleOf(at, size);
    expect(x > 1 && x < width - 1 && y > 1 && y < height - 1).toBe(true);
  }
});

it("tells the move at a place of the graph, and its ends beside it", () => {
  expect([0, 0.5, 1, 1.5].map((place) => moveAt(place, 40))).toEqual([0, 20, 40, 40]);
  // A short game does not fill the graph.
  expect([0.5, 0.9].map((place) => moveAt(place, 4))).toEqual([4, 4]);
});
