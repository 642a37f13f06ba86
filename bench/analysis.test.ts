import { plantedPrograms } from "@flamekeep/profile/testing/planted";
import { expect, it } from "vitest";
import { evaluate } from "./analysis/evaluate.ts";
import { toMissesTable } from "./analysis.ts";

/**
 * Part of the planted problems that must be found. The final set's is kept from falling: no rule may be changed because of
 * that set. Its README has the counts.
 */
const bars = [
  ["tuning", 0.95],
  ["final", 0.95],
] as const;

it.each(bars)("planted problems of the set %s are found, and busy programs cause no alarm", (set, bar) => {
  const evaluation = evaluate(plantedPrograms().filter((program) => program.set === set));
  const table = toMissesTable(set, evaluation);
  const { problems, clean } = evaluation;
  const found = problems.filter(({ isFound }) => isFound).length;
  const alarms = clean.filter((one) => one.alarms.length > 0).length;
  expect(problems.length).toBeGreaterThan(0);
  expect(found, table).toBeGreaterThanOrEqual(problems.length * bar);
  expect(alarms, table).toBeLessThanOrEqual(clean.length * 0.05);
});
