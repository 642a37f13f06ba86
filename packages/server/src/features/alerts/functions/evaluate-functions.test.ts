import type { Alert } from "@flamekeep/contract";
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runAlerts } from "#alerts/job.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { storeAlert } from "#testing/store-alert.ts";

const lease = { name: "alerts", holder: "this test", lastsMs: 60_000 };
const startMs = Date.parse("2026-11-20T12:10:00.000Z");
const services = ["broken", "checkout"];

let server: TestApp;
let ada: Person;
let headers: Record<string, string>;

/** The whole stays the same: loading takes less if sealing takes more. */
async function sendHour(service: string, hour: number, sealMs: number): Promise<void> {
  const hourStartMs = Math.floor(startMs / hourMs) * hourMs + hour * hourMs;
  const sendAt = (minute: number) => {
    const ms = (value: number) => Math.round(value * (1 + 0.02 * Math.sin(hour * 7 + minute)) * 1e6);
    const profile = profileOf(
      `
      main.main@/app/main.go:10    main.main@/app/main.go:10
      shop.Seal@/app/seal.go:47    shop.Load@/app/load.go:12
      ${ms(sealMs)}                ${ms(4000 - sealMs)}`,
      { sampleTypes: ["cpu/nanoseconds"], durationNs: 10_000_000_000n },
    );
    const started_at = new Date(hourStartMs + minute * minuteMs).toISOString();
    return server.send(profile, { headers, query: { service, type: "cpu", started_at } });
  };
  await Promise.all([0, 20, 40].map(sendAt));
}

/** A context that calls `onLook` before each look at a service. */
function contextThat(onLook: (service: string) => void): TestApp["ctx"] {
  const { columns } = server.ctx;
  const query: typeof columns.query = async (statement, params) => {
    if (statement.name === "alerts.function-sums") onLook((params as { service: string }).service);
    return columns.query(statement, params);
  };
  return { ...server.ctx, columns: { ...columns, query } };
}

async function round(ctx: TestApp["ctx"], stopped?: AbortSignal): Promise<void> {
  await server.ctx.columns.maintenance.rollUp(server.clock.now());
  expect(await runAlerts(ctx, lease, stopped)).toBe(true);
}

async function openAlerts(person: Person): Promise<Pick<Alert, "service">[]> {
  const alerts = server.rows.selectFrom("alerts").select("service").where("orgId", "=", person.orgId);
  return alerts
    .where("resolvedAt", "is", null)
    .where("sampleType", "like", "function/%")
    .orderBy("service")
    .execute();
}

beforeAll(async () => {
  server = await startApp({ hasSeparateColumns: true, at: new Date(startMs).toISOString() });
  ada = await server.signUp();
  headers = (await server.makeKey(ada)).headers;
  // At the same time, because a commit costs the store more than its rows.
  const hours = Array.from({ length: 36 }, (_, index) => index - 36);
  const sent = hours.flatMap((each) =>
    services.map((service) => sendHour(service, each, each >= -3 ? 1000 : 500)),
  );
  await Promise.all(sent);
});
afterAll(() => server.close());

it("a series that cannot be read delays neither the others nor messages, and waits for the next hour", async () => {
  const withheldAt = new Date(startMs).toISOString();
  const about = { orgId: ada.orgId, service: "silent", at: withheldAt, profileId: "" };
  const id = await storeAlert(server.rows, about, { sampleType: "silence/service", withheldAt });
  const looks: string[] = [];
  const ctx = contextThat((service) => {
    looks.push(service);
    if (service === "broken") throw new Error("This series is too large");
  });
  await round(ctx);
  expect(looks.toSorted()).toEqual(services);
  expect(await openAlerts(ada)).toEqual([{ service: "checkout" }]);
  const { unmutedAt } = await server.rows
    .selectFrom("alerts")
    .select("unmutedAt")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  expect(unmutedAt).toBe(withheldAt);
  const logged = () => server.logged.filter((line) => line.includes("This series is too large"));
  expect(logged().map((line) => JSON.parse(line))).toMatchObject([
    { orgId: ada.orgId, service: "broken", type: "cpu", sampleType: "cpu/nanoseconds" },
  ]);

  server.clock.advance(5 * minuteMs);
  await round(ctx);
  expect([looks.length, logged().length]).toEqual([2, 1]);

  server.clock.advance(hourMs);
  for (const service of services) await sendHour(service, 0, 1000);
  await round(server.ctx);
  expect(await openAlerts(ada)).toEqual(services.map((service) => ({ service })));
});

it("a server that stops looks at no further series", async () => {
  server.clock.advance(hourMs);
  for (const service of services) await sendHour(service, 1, 500);
  const stopping = new AbortController();
  const looks: string[] = [];
  const ctx = contextThat((service) => {
    looks.push(service);
    stopping.abort();
  });
  await round(ctx, stopping.signal);
  expect(looks).toHaveLength(1);
});

it("an alert of an organization whose only service stopped is resolved", async () => {
  const eve = await server.signUp();
  const at = new Date(startMs - 48 * hourMs).toISOString();
  await storeAlert(
    server.rows,
    { orgId: eve.orgId, service: "only", at, profileId: "" },
    {
      sampleType: "function/cpu/nanoseconds shop.Seal",
      reference: JSON.stringify({ level: 1, risen: [] }),
    },
  );
  expect(await openAlerts(eve)).toEqual([{ service: "only" }]);
  server.clock.advance(5 * minuteMs);
  await round(server.ctx);
  expect(await openAlerts(eve)).toEqual([]);
});
