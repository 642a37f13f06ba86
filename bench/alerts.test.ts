import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { expect, test } from "vitest";
import { simulate } from "./alerts/simulate.ts";
import { toConfusionTable } from "./alerts.ts";

test("a small simulated fleet is watched well, and the same each time", () => {
  const services = isFullLength ? 16 : 5;
  const table = simulate(7, services, 20);
  console.info(toConfusionTable(table));
  expect(table.large).toBeGreaterThanOrEqual(1.2 * services);
  expect(table.harmless).toBeGreaterThanOrEqual(1.2 * services);
  expect(table.doublings).toBeGreaterThanOrEqual(0.6 * services);
  expect(table.largeFound / table.large).toBeGreaterThanOrEqual(0.95);
  expect(table.falseAlerts / table.serviceMonths).toBeLessThanOrEqual(1);
  expect(table.trueAlerts).toBeGreaterThanOrEqual(table.largeFound);
  const days = isFullLength ? 20 : 5;
  expect(simulate(7, 1, days)).toEqual(simulate(7, 1, days));
});
