import { expect, test } from "vitest";
import { problemsIn, sumOf, tally } from "./test-report.ts";

const file = (status: string, ...tests: string[]) => ({
  name: "/work/a.test.ts",
  status,
  message: "",
  assertionResults: tests.map((each) => ({ status: each, fullName: each, failureMessages: [] })),
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

test("what failed and what had to be repeated is named, with the first lines of why", () => {
  const failed = { status: "failed", fullName: "adds", failureMessages: ["expected 3\n    at line 4"] };
  const repeated = { status: "passed", fullName: "drags", failureMessages: ["timed out"] };
  const passed = { status: "passed", fullName: "draws", failureMessages: [] };
  const tests = { ...file("failed"), assertionResults: [failed, repeated, passed] };
  const broken = { ...file("failed"), name: "/work/b.test.ts", message: "cannot be loaded" };
  expect(problemsIn({ testResults: [tests, broken] }, "/work/")).toEqual([
    "Failed: a.test.ts > adds",
    "  expected 3\n      at line 4",
    "Passed only when repeated: a.test.ts > drags",
    "  timed out",
    "Failed: b.test.ts",
    "  cannot be loaded",
  ]);
});
