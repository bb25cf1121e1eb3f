import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/e2e/**/*.e2e.ts"],
    environment: "node",
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A page on a busy machine may take longer than Vitest's second to say what it will say.
    expect: { poll: { timeout: 10_000 } },
    fileParallelism: false,
  },
});
