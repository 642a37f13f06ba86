import { readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest, roughly in this order. Started last, each would leave a core idle at the end; a clean clone has no
 * measured durations, and the size of a file says little about its time.
 */
export const longFiles = [
  "e2e/guides.test.ts",
  "e2e/pages.test.ts",
  "e2e/incidents.test.ts",
  "e2e/demo.test.ts",
  "e2e/stop.test.ts",
  "e2e/analysis-feedback.test.ts",
  "e2e/states.test.ts",
  "e2e/dialogs.test.ts",
  "e2e/analysis.test.ts",
  "e2e/organizations.test.ts",
  "e2e/flame-export.test.ts",
  "e2e/layout.test.ts",
  "e2e/hostile-names.test.ts",
  "bench/cluster.test.ts",
  "packages/server/src/move-data.test.ts",
  "packages/server/src/features/alerts/thumbs.test.ts",
  "packages/server/src/features/ingest/repeat-uploads.test.ts",
  "packages/server/src/store/column/restore/restore-quarantined.test.ts",
  "packages/server/src/features/alerts/demo.test.ts",
  "bench/crash.test.ts",
  "packages/server/src/main.test.ts",
  "packages/server/src/features/retention/members.test.ts",
  "packages/server/src/features/ingest/owners/owners.test.ts",
  "packages/server/src/features/pyroscope/pyroscope.test.ts",
  "packages/server/src/features/alerts/functions/evaluate-functions.test.ts",
  "packages/server/src/features/alerts/silence/silence.test.ts",
  "packages/server/src/features/alerts/regressions.test.ts",
  "packages/server/src/features/alerts/evaluate/evaluate-organization.test.ts",
  "bench/alerts.test.ts",
  "packages/server/src/store/payloads/payload-store.test.ts",
  "packages/server/src/store/column/maintenance/recount-hours.test.ts",
  "packages/server/src/store/column/maintenance/roll-up-hours.test.ts",
  "packages/server/src/auth/sign-in-limits/attempts.test.ts",
  "packages/profile/src/corpus.test.ts",
  "packages/server/src/store/column/engine/watchdog.test.ts",
  "packages/server/src/store/column/engine/engine.test.ts",
  "scripts/regular-expressions.test.ts",
];

/**
 * The place of a file among the others: long files, files of the usual environment, files of another one. Vitest ends a worker when
 * the next file needs another environment; with it end its engine, its PostgreSQL and its loaded modules.
 */
export function placeOf(file: string, source: string): number {
  if (source.startsWith("// @vitest-environment ")) return longFiles.length + 1;
  const at = longFiles.findIndex((each) => file.endsWith(`/${each}`));
  return at === -1 ? longFiles.length : at;
}

/** Starts the long files first, then the others as vitest does, those of another environment last. */
export class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(specifications);
    const placed = sorted.map((specification) => {
      const { moduleId } = specification;
      return { specification, place: placeOf(moduleId, readFileSync(moduleId, "utf8")) };
    });
    return placed.sort((a, b) => a.place - b.place).map(({ specification }) => specification);
  }
}
