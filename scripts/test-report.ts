/** The part of vitest's JSON report that is counted. */
export interface Report {
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Counts tests. A file that failed without a failing test (it does not load, a hook threw) counts as one failure, and so
 * does a run that ended badly although every test in it passed.
 */
export function tally(report: Report, hasEndedWell: boolean): Tally {
  const statuses = report.testResults.flatMap((file) => file.assertionResults.map((test) => test.status));
  const count = (...wanted: string[]) => statuses.filter((status) => wanted.includes(status)).length;
  const brokenFiles = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  ).length;
  const failed = count("failed") + brokenFiles;
  return {
    passed: count("passed"),
    failed: failed === 0 && !hasEndedWell ? 1 : failed,
    skipped: count("skipped", "pending", "todo"),
  };
}

/** The tests of several runs together. */
export function sumOf(tallies: readonly Tally[]): Tally {
  const total = (key: keyof Tally) => tallies.reduce((sum, each) => sum + each[key], 0);
  return { passed: total("passed"), failed: total("failed"), skipped: total("skipped") };
}
