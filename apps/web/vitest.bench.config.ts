import { defineConfig } from "vitest/config";

/** What is measured by the clock: one file, by itself. */
export default defineConfig({
  test: {
    environment: "node",
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    include: ["bench/**/*.measured.ts"],
    maxWorkers: 1,
  },
});
