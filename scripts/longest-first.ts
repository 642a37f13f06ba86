import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest, roughly in this order. Started last, each would leave a core idle at the end; a clean clone has no
 * measured durations, and the size of a file says little about its time.
 */
export const longFiles = [
  "e2e/pages.test.ts",
  "e2e/demo.test.ts",
  "e2e/states.test.ts",
  "e2e/analysis.test.ts",
  "e2e/dialogs.test.ts",
  "e2e/find-functions.test.ts",
  "packages/server/src/store/column/restore/restore-quarantined.test.ts",
  "packages/server/src/features/alerts/demo.test.ts",
  "bench/crash.test.ts",
  "packages/server/src/main.test.ts",
  "packages/server/src/hostile-bodies.test.ts",
  "packages/server/src/features/retention/retention.test.ts",
  "packages/server/src/store/column/maintenance/recount-hours.test.ts",
  "packages/server/src/store/column/engine/engine.test.ts",
  "bench/soak.test.ts",
];

/** Starts the long files first, then the others as vitest does. */
export class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longFiles.findIndex((file) => moduleId.endsWith(`/${file}`));
      return at === -1 ? longFiles.length : at;
    };
    const sorted = await super.sort(specifications);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}
