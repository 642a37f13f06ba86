/** The part of vitest's JSON report that is counted. */
export interface Report {
  readonly testResults: readonly {
    /** Path of the file. */
    readonly name: string;
    readonly status: string;
    /** Why the file failed as a whole. */
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      /** One message for each attempt that failed. */
      readonly failureMessages: readonly string[];
    }[];
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
  const brokenFiles = report.testResults.filter(isBroken).length;
  const failed = count("failed") + brokenFiles;
  return {
    passed: count("passed"),
    failed: failed === 0 && !hasEndedWell ? 1 : failed,
    skipped: count("skipped", "pending", "todo"),
  };
}

/** Whether a file failed without a failing test. */
function isBroken({ status, assertionResults }: Report["testResults"][number]): boolean {
  return status === "failed" && !assertionResults.some((test) => test.status === "failed");
}

/**
 * Names the tests that failed, with the first lines of why, and those that passed only when they were repeated. The output of all
 * tests is long, and what keeps its end only would lose them.
 */
export function problemsIn(report: Report, root: string): string[] {
  return report.testResults.flatMap((file) => {
    const path = file.name.replace(root, "");
    const tests = file.assertionResults.flatMap((test) => {
      const name = `${path} > ${test.fullName}`;
      if (test.status === "failed") return [`Failed: ${name}`, ...test.failureMessages.map(firstLines)];
      if (test.status !== "passed" || test.failureMessages.length === 0) return [];
      return [`Passed only when repeated: ${name}`, ...test.failureMessages.map(firstLines)];
    });
    return isBroken(file) ? [`Failed: ${path}`, firstLines(file.message), ...tests] : tests;
  });
}

function firstLines(message: string): string {
  const lines = message.split("\n").slice(0, 12);
  return lines.map((line) => `  ${line}`).join("\n");
}

/** The tests of several runs together. */
export function sumOf(tallies: readonly Tally[]): Tally {
  const total = (key: keyof Tally) => tallies.reduce((sum, each) => sum + each[key], 0);
  return { passed: total("passed"), failed: total("failed"), skipped: total("skipped") };
}
