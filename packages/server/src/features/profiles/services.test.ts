import { randomUUID } from "node:crypto";
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

const now = Date.UTC(2026, 10, 20, 12);
let server: TestApp;
let person: Person;

beforeAll(async () => {
  server = await startApp({ at: new Date(now).toISOString() });
  person = await server.signUp();
  const { headers } = await server.makeKey(person);
  const send = (service: string, minutesAgo: number, cpuMs: number, type = "cpu") =>
    server.send(
      profileOf(`main\n${cpuMs * 1e6}`, {
        sampleTypes: [type === "cpu" ? "cpu/nanoseconds" : "alloc_space/bytes"],
        durationNs: 10_000_000_000n,
      }),
      { headers, query: { service, type, started_at: new Date(now - minutesAgo * minuteMs).toISOString() } },
    );
  // Within the last hour, and the one before.
  await send("checkout", 90, 4000);
  await send("checkout", 30, 2000);
  await send("search", 90, 1000);
  await send("search", 20, 3000);
  await send("Cart", 10, 1000);
  await send("batch", 40, 1, "memory");
  await send("batch", 45, 1, "memory");
  await openAlert("batch", 0.9);
  await openAlert("search", 0.2);
  await openAlert("search", 0.3, "memory");
  await openAlert("Cart", 0.9, "cpu", new Date(now).toISOString());
});
afterAll(() => server.close());

async function openAlert(service: string, increase: number, type = "cpu", resolvedAt: string | null = null) {
  const at = new Date(now - hourMs).toISOString();
  const id = randomUUID();
  const times = { openedAt: at, baselineFrom: at, baselineTo: at, currentFrom: at, currentTo: at };
  await server.ctx.rows
    .insertInto("alerts")
    .values({
      ...times,
      id,
      incidentId: id,
      circumstances: null,
      orgId: person.orgId,
      service,
      type,
      sampleType: "cpu/nanoseconds",
      profileId: "0".repeat(32),
      beganAt: null,
      resolvedAt,
      previousValue: 1,
      currentValue: 1 + increase,
      increase,
      functions: "[]",
      reference: "{}",
    })
    .execute();
}

async function list(query: Record<string, string> = {}) {
  const url = "/api/v1/protected/services";
  const reply = await server.app.inject({ url, query: { since: "1h", ...query }, headers: person.headers });
  return { status: reply.statusCode, ...reply.json() };
}

const names = ({ services }: { readonly services: readonly { readonly name: string }[] }) =>
  services.map(({ name }) => name);

describe("services", () => {
  it.each([
    [undefined, ["Cart", "search", "checkout", "batch"]],
    ["activity", ["Cart", "search", "checkout", "batch"]],
    ["name", ["batch", "Cart", "checkout", "search"]],
    ["profiles", ["batch", "Cart", "checkout", "search"]],
    ["cpu", ["search", "checkout", "Cart", "batch"]],
    ["change", ["search", "checkout", "batch", "Cart"]],
    ["alerts", ["batch", "search", "Cart", "checkout"]],
  ])("are listed by %s", async (order, expected) => {
    expect(names(await list(order === undefined ? {} : { order }))).toEqual(expected);
  });

  it("come in pages, with the totals of all", async () => {
    const first = await list({ order: "name", limit: "3", include_totals: "true" });
    expect(names(first)).toEqual(["batch", "Cart", "checkout"]);
    expect(first).toMatchObject({
      total: 4,
      totals: {
        services: 4,
        last_activity: new Date(now - 10 * minuteMs).toISOString(),
        profiles_by_display_type: { cpu: 3, memory: 2 },
        open_alerts: 3,
        services_with_alerts: 2,
      },
    });
    const second = await list({ order: "name", limit: "3", cursor: first.next_cursor });
    expect([names(second), second.next_cursor]).toEqual([["search"], null]);
    expect((await list()).next_cursor).toBeNull();
  });

  it("are found by a part of their name in any case, those that begin with it first", async () => {
    const found = await list({ order: "name", q: " C " });
    expect(names(found)).toEqual(["Cart", "checkout", "batch", "search"]);
    expect(names(await list({ q: "ch  OUT" }))).toEqual(["checkout"]);
    expect(names(await list({ q: "check batch" }))).toEqual([]);
    const one = await list({ q: "CART" });
    expect([names(one), one.total, one.totals.services]).toEqual([["Cart"], 1, 4]);
    expect(await list({ q: "nobody" })).toMatchObject({ services: [], total: 0, next_cursor: null });
  });

  it("count no muted alerts in the order by them", async () => {
    const at = new Date(now).toISOString();
    const scope = { orgId: person.orgId, service: "batch", type: null, tags: "{}", reason: "" };
    const mute = {
      ...scope,
      id: randomUUID(),
      mutedBy: person.userId,
      createdAt: at,
      startsAt: at,
      until: null,
      schedule: null,
    };
    await server.ctx.rows.insertInto("alertMutes").values(mute).execute();
    expect(names(await list({ order: "alerts" }))).toEqual(["search", "batch", "Cart", "checkout"]);
    await server.ctx.rows.deleteFrom("alertMutes").where("orgId", "=", person.orgId).execute();
  });

  it("refuse a cursor that is none", async () => {
    expect(await list({ cursor: "x" })).toMatchObject({ status: 400, code: "invalid" });
  });
});
