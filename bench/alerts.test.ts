import { expect, test } from "vitest";
import { simulate } from "./alerts/simulate.ts";
import { toConfusionTable } from "./alerts.ts";

test("a small simulated fleet is watched well, and the same each time", () => {
  const table = simulate(7, 5, 20);
  console.info(toConfusionTable(table));
  expect(table.large).toBeGreaterThanOrEqual(6);
  expect(table.harmless).toBeGreaterThanOrEqual(6);
  expect(table.doublings).toBeGreaterThanOrEqual(3);
  expect(table.largeFound / table.large).toBeGreaterThanOrEqual(0.95);
  expect(table.falseAlerts / table.serviceMonths).toBeLessThanOrEqual(1);
  expect(table.trueAlerts).toBeGreaterThanOrEqual(table.largeFound);
  expect(simulate(7, 1, 10)).toEqual(simulate(7, 1, 10));
});
