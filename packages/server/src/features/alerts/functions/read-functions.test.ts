import { hourMs } from "@flamekeep/contract/durations";
import { profileOf } from "@flamekeep/profile/testing";
import { expect, it } from "vitest";
import { readRolledHours } from "#store/column/read/stack-totals.ts";
import { startApp } from "#testing/start-app.ts";
import { closures } from "./function-figures.ts";
import { functionHours, functionSums, stackCount } from "./queries.ts";
import { hoursMax } from "./read-functions.ts";

it("a service with many stacks is judged by fewer hours, and by more than a day", () => {
  const twoWeeks = 14 * 24;
  expect(hoursMax(0)).toBeGreaterThan(twoWeeks);
  expect(hoursMax(4000)).toBeGreaterThan(twoWeeks);
  expect(hoursMax(15_000)).toBeLessThan(twoWeeks);
  expect(hoursMax(50_000)).toBe(40);
  expect(hoursMax(1_000_000)).toBe(30);
});

it("of many stacks the largest are read, as parts of all", async () => {
  const at = Date.parse("2026-11-20T12:10:00.000Z");
  const server = await startApp({ hasSeparateColumns: true, at: new Date(at).toISOString() });
  const ada = await server.signUp();
  const { headers } = await server.makeKey(ada);
  const hourStartMs = Math.floor(at / hourMs) * hourMs;
  for (let ago = 4; ago > 0; ago--) {
    const profile = profileOf(
      `
      main.main    main.main    main.main
      shop.Seal    shop.Load    shop.Tiny
      500000000    900000000    100000000`,
      { sampleTypes: ["cpu/nanoseconds"], durationNs: 10_000_000_000n },
    );
    const started_at = new Date(hourStartMs - ago * hourMs).toISOString();
    await server.send(profile, { headers, query: { service: "checkout", type: "cpu", started_at } });
  }
  await server.ctx.columns.maintenance.rollUp(server.clock.now());
  const series = { orgId: ada.orgId, service: "checkout", type: "cpu" };
  const [from, to] = [new Date(hourStartMs - 4 * hourMs), new Date(hourStartMs)];
  const rolled = await readRolledHours(server.ctx.columns, { ...series, from, to });
  const hours = rolled.map(({ hourSeconds }) => hourSeconds).sort((a, b) => a - b);
  expect(hours).toHaveLength(4);
  const versions = hours.map((hour) => rolled.find(({ hourSeconds }) => hourSeconds === hour)!.latest);
  const params = { ...series, sampleType: "cpu/nanoseconds", hours, versions };
  expect(await server.ctx.columns.query(stackCount, params)).toEqual([{ stacks: 12 }]);

  const sums = (stacks: number) =>
    server.ctx.columns.query(functionSums, {
      ...{ ...params, closures, stacks, limit: 10 },
      newest: hours.slice(-3),
    });
  const [all, largest] = [await sums(10), await sums(1)];
  expect(all.map(({ name }) => name)).toEqual(["main.main", "shop.Load", "shop.Seal", "shop.Tiny"]);
  expect(largest.map(({ name }) => name).sort()).toEqual(["main.main", "shop.Load"]);
  for (const { whole, smallest } of [...all, ...largest]) {
    expect(whole).toEqual([15e8, 15e8, 15e8, 15e8]);
    expect(smallest).toBe(1e8);
  }

  const hourly = (stacks: number) =>
    server.ctx.columns.query(functionHours, { ...params, closures, stacks, names: ["shop.Seal"] });
  expect((await hourly(2)).map(({ self }) => self)).toEqual([[5e8, 5e8, 5e8, 5e8]]);
  expect(await hourly(1)).toEqual([]);
  await server.close();
});
