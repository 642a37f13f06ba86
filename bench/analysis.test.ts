import {
  type LabelledLanguage,
  type LabelledService,
  labelledServices,
} from "@flamekeep/profile/testing/labelled";
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

/** Of 20 problems, how many are found from the profile alone and with the sources: all may only rise. */
const countsByLanguage = [
  ["java", undefined, 20, 20],
  ["node", undefined, 11, 20],
  ["node", "second", 14, 19],
  ["python", undefined, 12, 19],
  ["python", "second", 15, 20],
] as const satisfies readonly (readonly [LabelledLanguage, LabelledService["set"], number, number])[];

it.each(countsByLanguage)(
  "of services in %s, set %s, at least %d problems are found from the profile, %d with the sources, busy ones are left in peace",
  async (language, set, found, foundWithSources) => {
    const services = labelledServices().filter(
      (service) => service.language === language && service.set === set,
    );
    const sides = [
      ["profile alone", found],
      ["with sources", foundWithSources],
    ] as const;
    for (const [sources, wanted] of sides) {
      const evaluation = await evaluateLabelled(services, sources);
      const table = toLabelledTable(`${language} ${sources}`, evaluation);
      const { problems, busy } = evaluation;
      expect(problems).toHaveLength(20);
      expect(problems.filter(({ isFound }) => isFound).length, table).toBeGreaterThanOrEqual(wanted);
      expect(busy).toHaveLength(set === undefined ? 8 : 0);
      expect(busy.filter(({ high }) => high.length > 0).length, table).toBe(0);
    }
  },
);
