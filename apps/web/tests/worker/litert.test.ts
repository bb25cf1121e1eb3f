/** Where LiteRT.js does not start: the sentence that the page says, and another try later. Its kernels run in tests/e2e. */

import { afterEach, describe, expect, it, vi } from "vitest";

import { start } from "../../src/worker/LiteRt";
import { inWords } from "../texts/words";

const load = vi.hoisted(() => vi.fn());
vi.mock("@litertjs/core/wasm/litert_wasm_internal.js", () => ({ default: load }));
vi.mock("@litertjs/core/wasm/litert_wasm_internal.wasm?url", () => ({ default: "litert.wasm" }));

afterEach(() => vi.restoreAllMocks());

describe("LiteRT.js", () => {
  it("is not even fetched where WebAssembly has no relaxed SIMD", async () => {
    vi.spyOn(WebAssembly, "validate").mockReturnValue(false);
    await expect(inWords(start())).rejects.toThrow(
      "LiteRT.js does not run in this browser (its WebAssembly has no relaxed SIMD): use a newer one, or stay with TF.js.",
    );
    expect(load).not.toHaveBeenCalled();
  });

  it("is asked for again where it did not come, and once where it did", async () => {
    vi.spyOn(WebAssembly, "validate").mockReturnValue(true);
    for (const [message, why] of [
      ["Failed to fetch.\nat once", "Failed to fetch"],
      [
        "Aborted(CompileError: no (magic) word). Build with -sASSERTIONS for more info.",
        "CompileError: no (magic) word",
      ],
    ] as const) {
      load.mockRejectedValueOnce(new TypeError(message));
      await expect(inWords(start())).rejects.toThrow(
        `LiteRT.js does not run in this browser (${why}): use a newer one`,
      );
    }
    const environment = {};
    load.mockResolvedValueOnce({ setupLogging: vi.fn(), LiteRtEnvironment: { create: () => environment } });
    expect((await start()).environment).toBe(environment);
    expect(await start()).toBe(await start());
    expect(load).toHaveBeenCalledTimes(3);
  });
});
