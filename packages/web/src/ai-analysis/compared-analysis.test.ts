// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { compared } from "#testing/analyses.ts";
import { comparisonSentence } from "./compared-analysis.tsx";

const comparison = compared.comparison!;

it("gives the change per second and per request", () => {
  expect(comparisonSentence(comparison)).toBe(
    "CPU time of one instance rose by 69%, from 0.411 cores to 0.696 cores; per request from 3.12 ms to 5.23 ms.",
  );
  const { before, after } = comparison;
  expect(comparisonSentence({ ...comparison, before: after, after: before, increase: -0.41 })).toContain(
    "fell by 41%, from 0.696 cores to 0.411 cores",
  );
});

it("leaves requests out where a range has none", () => {
  const before = { ...comparison.before, per_request: null };
  expect(comparisonSentence({ ...comparison, before })).toBe(
    "CPU time of one instance rose by 69%, from 0.411 cores to 0.696 cores.",
  );
});

it("does not call noise a change, nor compare with nothing", () => {
  expect(comparisonSentence({ ...comparison, increase: 0.004 })).toBe(
    "CPU time of one instance hardly changed: 0.411 cores before, 0.696 cores after; per request 3.12 ms before, 5.23 ms after.",
  );
  expect(comparisonSentence({ ...comparison, increase: null })).toBe(
    "CPU time of one instance is 0.696 cores. The other range has none.",
  );
});
