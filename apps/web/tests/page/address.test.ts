/** The page's address, and a step of the browser's that the page has not heard of yet. */

import { beforeEach, expect, it, vi } from "vitest";

beforeEach(() => {
  vi.resetModules();
  const location = { hash: "", pathname: "/", search: "" };
  const go = (_: null, __: string, address: string): void => {
    location.hash = address.startsWith("#") ? address : "";
  };
  vi.stubGlobal("location", location);
  vi.stubGlobal("history", { pushState: go, replaceState: go });
});

it("is left alone once the browser has gone elsewhere, until the page follows", async () => {
  const { follow, goTo, isLeaving } = await import("../../src/page/library/Address");
  expect(isLeaving()).toBe(false);
  expect(follow()).toEqual({ kind: "none" });
  goTo("#/games/one", true);
  expect(isLeaving()).toBe(false);
  // Back or Forward: the page hears of it later than the address has changed.
  location.hash = "#/games/two";
  expect(isLeaving()).toBe(true);
  expect(follow()).toEqual({ kind: "game", id: "two" });
  expect(isLeaving()).toBe(false);
});
