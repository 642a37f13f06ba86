import { expect, test } from "vitest";
import { sumOf, tally } from "./test-report.ts";

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((each) => ({ status: each })),
});

test("tests are counted over all files", () => {
  const report = { testResults: [file("passed", "passed", "skipped"), file("failed", "failed", "passed")] };
  expect(tally(report, false)).toEqual({ passed: 2, failed: 1, skipped: 1 });
});

test("a file that does not load is one failure", () => {
  expect(tally({ testResults: [file("failed"), file("passed", "passed")] }, false)).toMatchObject({
    failed: 1,
  });
});

test("a run that ended badly is never all green", () => {
  expect(tally({ testResults: [file("passed", "passed")] }, false)).toMatchObject({ failed: 1 });
  expect(tally({ testResults: [] }, false)).toMatchObject({ passed: 0, failed: 1 });
});

test("the tests of several runs are counted together", () => {
  const tallies = [
    { passed: 3, failed: 1, skipped: 0 },
    { passed: 4, failed: 0, skipped: 2 },
  ];
  expect(sumOf(tallies)).toEqual({ passed: 7, failed: 1, skipped: 2 });
});
