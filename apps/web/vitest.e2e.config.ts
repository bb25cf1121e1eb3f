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

export default defineConfig({
  test: {
    // A process tests many files, with one browser and one server.
    environment: "node",
    isolate: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // A page on a busy machine may take longer than Vitest's second to say what it will say.
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: LongestFirst },
    include: ["tests/e2e/**/*.e2e.ts"],
    // A test waits for its page half of the time, so that two keep two cores busy; a page of its own has several
    // processes, and beyond four they would be in each other's way.
    maxWorkers: Math.min(4, Math.max(2, availableParallelism())),
  },
});
