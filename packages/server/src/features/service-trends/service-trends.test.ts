import { randomUUID } from "node:crypto";
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

const now = Date.UTC(2026, 10, 20, 12);
let server: TestApp;
let person: Person;
let headers: Awaited<ReturnType<TestApp["makeKey"]>>["headers"];

async function send(service: string, at: number, cpuMs: number): Promise<void> {
  await server.send(
    profileOf(`main\n${cpuMs * 1e6}`, { sampleTypes: ["cpu/nanoseconds"], durationNs: 10_000_000_000n }),
    { headers, query: { service, started_at: new Date(at).toISOString() } },
  );
}

beforeAll(async () => {
  server = await startApp({ at: new Date(now).toISOString() });
  person = await server.signUp();
  headers = (await server.makeKey(person)).headers;
  await send("checkout", now - 90 * minuteMs, 1000);
  await send("checkout", now - 59 * minuteMs, 2000);
  await send("checkout", now - 58 * minuteMs, 4000);
  await send("checkout", now - minuteMs, 6000);
  await send("search", now - 90 * minuteMs, 5000);
  await send("old", now - 5 * hourMs, 5000);
  await openAlert("checkout", "cpu", 0.6);
  await openAlert("checkout", "memory", 0.2);
  await openAlert("silent", "goroutine", 0.3);
  await openAlert("muted", "cpu", 0.9);
  const at = new Date(now).toISOString();
  const scope = { orgId: person.orgId, service: "muted", type: "cpu", tags: "{}", reason: "" };
  const mute = { ...scope, id: randomUUID(), mutedBy: person.userId, createdAt: at, startsAt: at };
  await server.ctx.rows.insertInto("alertMutes").values(mute).execute();
  await openAlert("unmuted", "cpu", 0.3);
  const ended = { ...mute, id: randomUUID(), service: "unmuted", until: at };
  await server.ctx.rows.insertInto("alertMutes").values(ended).execute();
});
afterAll(() => server.close());

async function openAlert(service: string, type: string, increase: number) {
  const at = new Date(now - hourMs).toISOString();
  const id = randomUUID();
  await server.ctx.rows
    .insertInto("alerts")
    .values({
      id,
      incidentId: id,
      circumstances: null,
      orgId: person.orgId,
      service,
      type,
      sampleType: "cpu/nanoseconds",
      profileId: "0".repeat(32),
      beganAt: null,
      openedAt: at,
      resolvedAt: null,
      previousValue: 1,
      currentValue: 1 + increase,
      increase,
      functions: "[]",
      reference: "{}",
      baselineFrom: at,
      baselineTo: at,
      currentFrom: at,
      currentTo: at,
    })
    .execute();
}

async function get(query: Record<string, string> = {}, as = person) {
  const url = "/api/v1/protected/services/trends";
  const reply = await server.app.inject({ method: "GET", url, query, headers: as.headers });
  return { status: reply.statusCode, body: reply.json() };
}

describe("the trends of services", () => {
  it("show CPU in cores by bucket, against the range before, and health by open alerts", async () => {
    const { status, body } = await get({ since: "1h" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      from: "2026-11-20T11:00:00.000Z",
      to: "2026-11-20T12:00:00.000Z",
      bucket_seconds: 120,
    });
    const [checkout, ...others] = body.services;
    const points = new Array(30).fill(null);
    points[0] = 0.2;
    points[1] = 0.4;
    points[29] = 0.6;
    expect(checkout).toEqual({
      name: "checkout",
      health: "critical",
      open_alerts: 2,
      silent_since: null,
      worst_alert: { profile_type: "cpu", increase: 0.6 },
      cpu: { points, current: expect.closeTo(0.4, 9), previous: 0.1 },
    });
    const empty = new Array(30).fill(null);
    expect(others).toEqual([
      {
        name: "search",
        health: "healthy",
        open_alerts: 0,
        silent_since: null,
        worst_alert: null,
        cpu: { points: empty, current: null, previous: 0.5 },
      },
      {
        name: "silent",
        health: "warning",
        open_alerts: 1,
        silent_since: null,
        worst_alert: { profile_type: "goroutine", increase: 0.3 },
        cpu: { points: empty, current: null, previous: null },
      },
      {
        name: "unmuted",
        health: "warning",
        open_alerts: 1,
        silent_since: null,
        worst_alert: { profile_type: "cpu", increase: 0.3 },
        cpu: { points: empty, current: null, previous: null },
      },
    ]);
  });

  it("are of named services, or come in pages by name", async () => {
    const named = async (query: string) => {
      const url = `/api/v1/protected/services/trends?${query}`;
      const { services, ...rest } = (await server.app.inject({ url, headers: person.headers })).json();
      return { ...rest, names: services.map(({ name }: { name: string }) => name) };
    };
    const some = await named("since=1h&service=search&service=silent&service=nobody");
    expect(some).toMatchObject({ names: ["search", "silent"], open_alerts: 4, services_with_alerts: 3 });
    const first = await named("since=1h&limit=2");
    expect(first.names).toEqual(["checkout", "search"]);
    const second = await named(`since=1h&limit=2&cursor=${first.next_cursor}`);
    expect([second.names, second.next_cursor]).toEqual([["silent", "unmuted"], null]);
    const many = Array.from({ length: 101 }, (_, at) => `service=${at}`).join("&");
    expect(
      (
        await server.app.inject({ url: `/api/v1/protected/services/trends?${many}`, headers: person.headers })
      ).json().error,
    ).toMatch(/^At most 100 services/);
  });

  it("end where the range ends", async () => {
    const { body } = await get({ from: "2026-11-20T10:00:00Z", to: "2026-11-20T11:00:00Z" });
    const figures = body.services.map(({ name, cpu }: { name: string; cpu: { current: number | null } }) => [
      name,
      cpu.current,
    ]);
    expect(figures).toEqual([
      ["checkout", 0.1],
      ["search", 0.5],
      ["silent", null],
      ["unmuted", null],
    ]);
  });

  it("have what arrives in the present hour and late in hours before, also in a bucket of both", async () => {
    server.clock.advance(10 * minuteMs);
    const cpu = async () => {
      const { body } = await get({ since: "220m" });
      expect(body.bucket_seconds).toBe(420);
      const found = body.services.find(({ name }: { name: string }) => name === "late");
      const points: (number | null)[] = found?.cpu.points ?? [];
      return { points: points.filter((point) => point !== null), current: found?.cpu.current };
    };
    expect(await cpu()).toEqual({ points: [], current: undefined });
    await send("late", now - 2 * minuteMs, 1000);
    expect(await cpu()).toEqual({ points: [0.1], current: 0.1 });
    await send("late", now + minuteMs, 2000);
    expect(await cpu()).toEqual({ points: [expect.closeTo(0.15, 9)], current: expect.closeTo(0.15, 9) });
    await send("late", now - 61 * minuteMs, 6000);
    expect(await cpu()).toEqual({
      points: [0.6, expect.closeTo(0.15, 9)],
      current: expect.closeTo(0.3, 9),
    });
  });

  it("of another organization are empty", async () => {
    expect((await get({}, await server.signUp())).body.services).toEqual([]);
  });
});
