import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The files that take longest, which begin first: else one of them would be left alone at the end. */
const LONGEST = ["webkit", "games", "bundles", "goldens", "axe", "look", "hosting", "kept", "given", "rules", "table"];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.e2e.ts`));
      return at < 0 ? LONGEST.length : at;
    };
    return [...files].sort((one, two) => rank(one) - rank(two));
  }
}

/** What all the files have in common: a process tests many of them, with one browser and one server. */
const COMMON = {
  environment: "node",
  isolate: false,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // A page on a busy machine may take longer than Vitest's second to say what it will say.
  expect: { poll: { timeout: 10_000 } },
} as const;

const MEASURED = "tests/e2e/**/*.measured.e2e.ts";

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...COMMON,
          name: "page",
          include: ["tests/e2e/**/*.e2e.ts"],
          exclude: [MEASURED],
          // A test waits for its page half of the time, so that two keep two cores busy; a page of its own has several
          // processes, and beyond four they would be in each other's way.
          maxWorkers: Math.min(4, Math.max(2, availableParallelism())),
          sequence: { groupOrder: 1 },
        },
      },
      // What is measured by the clock has the machine for itself.
      { test: { ...COMMON, name: "measured", include: [MEASURED], maxWorkers: 1, sequence: { groupOrder: 2 } } },
    ],
  },
});
