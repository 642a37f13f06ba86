import { type LabelledLanguage, labelledServices } from "@flamekeep/profile/testing/labelled";
import { plantedPrograms } from "@flamekeep/profile/testing/planted";
import { expect, it } from "vitest";
import { evaluate } from "./analysis/evaluate.ts";
import { evaluateLabelled, toLabelledTable } from "./analysis/labelled.ts";
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

/** Of 20 problems, how many are found, and of 8 busy services, about how many nothing of high priority is said: both may only rise. */
const countsByLanguage = [
  ["java", 20, 8],
  ["node", 9, 8],
  ["python", 10, 8],
] as const satisfies readonly (readonly [LabelledLanguage, number, number])[];

it.each(countsByLanguage)(
  "of services in %s at least %d problems are found, at least %d are left in peace",
  (language, found, calm) => {
    const evaluation = evaluateLabelled(
      labelledServices().filter((service) => service.language === language),
    );
    const table = toLabelledTable(language, evaluation);
    expect(evaluation.problems).toHaveLength(20);
    expect(evaluation.problems.filter(({ isFound }) => isFound).length, table).toBeGreaterThanOrEqual(found);
    expect(evaluation.busy).toHaveLength(8);
    expect(evaluation.busy.filter(({ high }) => high.length === 0).length, table).toBeGreaterThanOrEqual(
      calm,
    );
  },
);
