import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Entry } from "../../src/bundle/Index";
import { Ahead } from "../../src/page/bundles/Ahead";
import type { Client } from "../../src/page/bundles/Client";

const ENTRIES = [
  { name: "large", files: [{ path: "large.bin", size: 2000, sha256: "" }] },
  { name: "small", files: [{ path: "small.bin", size: 1000, sha256: "" }] },
] as unknown as readonly Entry[];

describe("what comes ahead", () => {
  let came: string[] = [];
  let ahead: Ahead;
  const bring = (what: string) => async (): Promise<void> => void came.push(what);
  const turns = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

  beforeEach(() => {
    came = [];
    vi.stubGlobal("navigator", {});
    vi.stubGlobal("requestIdleCallback", (callback: () => void) => setTimeout(callback, 0));
    const ask = async (_: string, { entry }: { entry: Entry }): Promise<void> => void came.push(entry.name);
    ahead = new Ahead({ ask } as unknown as Client, "./");
  });

  it("is the app, then a faster runtime, then other bundles, the smallest first", async () => {
    ahead.take(bring("app"), ENTRIES);
    ahead.resume(bring("faster"));
    await turns();
    expect(came).toEqual(["app", "faster", "small", "large"]);
  });

  it("is the app too where it is known only while a faster runtime comes", async () => {
    ahead.resume(async () => {
      ahead.take(bring("app"), ENTRIES);
      await turns();
    });
    await turns();
    await turns();
    expect(came).toEqual(["app", "small", "large"]);
  });

  it("waits while a load is wanted, and then goes on where it was", async () => {
    ahead.take(async () => {
      came.push("app");
      ahead.pause();
    }, ENTRIES);
    ahead.resume(bring("given up with the load"));
    await turns();
    expect(came).toEqual(["app"]);
    ahead.resume(bring("faster"));
    await turns();
    expect(came).toEqual(["app", "faster", "small", "large"]);
  });
});
