import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { incidentMessage } from "#alerts/channels/message.ts";
import { runAlerts } from "#alerts/job.ts";
import { mutesAt } from "#alerts/mutes/queries.ts";
import { alertsOf } from "#alerts/row/stored-alert.ts";
import { toAlert } from "#alerts/store/present.ts";
import { SenderStates } from "#store/profiles/sending/sender-states.ts";
import { type Person, startApp, type TestApp, type TestKey } from "#testing/start-app.ts";
import { SilenceWatch } from "./silence-watch.ts";

let server: TestApp;
let person: Person;
let key: TestKey;
let watch: SilenceWatch;

async function send(service: string, type: "cpu" | "memory" = "cpu"): Promise<void> {
  const at = server.clock.now().getTime();
  const sampleTypes = [type === "cpu" ? "cpu/nanoseconds" : "inuse_space/bytes"];
  const profile = profileOf(`main\n${at % 1e9}`, { sampleTypes, durationNs: 10_000_000_000n });
  const started_at = new Date(at - 10_000).toISOString();
  await server.send(profile, { headers: key.headers, query: { service, type, started_at } });
}

/** A round of the job. The organization of the test is the only one. */
async function round(using = watch): Promise<void> {
  const lease = { name: "alerts", holder: "test", lastsMs: hourMs };
  await runAlerts({ ...server.ctx, silence: using }, lease);
}

async function alerts() {
  const rows = await alertsOf(server.ctx.rows, person.orgId)
    .orderBy("openedAt")
    .orderBy("sampleType")
    .execute();
  return rows.map(({ service, sampleType, beganAt, resolvedAt, severity }) => ({
    service,
    sampleType,
    beganAt,
    isOpen: resolvedAt === null,
    severity,
  }));
}

/** The senders send every 2 minutes, and the job runs every 4. */
async function pass(minutes: number, ...senders: readonly (() => Promise<void>)[]): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 2) {
    server.clock.advance(2 * minuteMs);
    await Promise.all(senders.map((each) => each()));
    if (minute % 4 === 0) await round();
  }
}

beforeAll(async () => {
  server = await startApp({ at: "2026-11-20T00:00:00.000Z" });
  person = await server.signUp();
  key = await server.makeKey(person);
  watch = new SilenceWatch(server.ctx, new SenderStates(server.ctx));
});
afterAll(() => server.close());

describe("silence", () => {
  const checkout = () => send("checkout");
  const heap = () => send("checkout", "memory");
  const tool = () => send("tool");

  it("of a type opens an alert while the service sends others, and of a tool that ran for minutes none", async () => {
    await pass(30, checkout, heap, tool);
    await pass(40, checkout, heap);
    expect(await alerts()).toEqual([]);
    await pass(24, heap);
    expect(await alerts()).toEqual([
      {
        service: "checkout",
        sampleType: "silence/cpu",
        beganAt: "2026-11-20T01:10:00.000Z",
        isOpen: true,
        severity: "warning",
      },
    ]);
  });

  it("says in its message which type stopped, and when", async () => {
    const [row] = await alertsOf(server.ctx.rows, person.orgId).execute();
    const alert = toAlert(row!, await mutesAt(server.ctx.rows, person.orgId, server.clock.now()));
    const message = incidentMessage(
      "opened",
      { id: alert.id, signals: [alert] },
      "https://flamekeep.example",
    );
    expect(message.title).toBe("Warning: checkout stopped sending CPU at 2026-11-20 01:10 UTC");
    expect(message.text).toContain("Normal rate: about 30 uploads an hour.");
    expect(alert).toMatchObject({ signal: "silence", unit: "uploads per hour", severity: "warning" });
  });

  it("resolves when the type is back, and opens once for each episode", async () => {
    await pass(8, checkout, heap);
    expect((await alerts()).map(({ isOpen }) => isOpen)).toEqual([false]);
  });

  it("of a service opens one alert, and no other one while it lasts or after it was marked as expected", async () => {
    await pass(90, checkout, heap);
    await pass(40);
    const open = (await alerts()).filter(({ isOpen }) => isOpen);
    expect(open).toMatchObject([{ service: "checkout", sampleType: "silence/service" }]);
    const row = await alertsOf(server.ctx.rows, person.orgId)
      .where("resolvedAt", "is", null)
      .executeTakeFirstOrThrow();
    await server.ctx.rows
      .updateTable("alerts")
      .set({ resolvedAt: server.clock.now().toISOString() })
      .where("orgId", "=", person.orgId)
      .where("id", "=", row.id)
      .execute();
    await pass(12);
    expect((await alerts()).filter(({ isOpen }) => isOpen)).toEqual([]);
  });

  it("after the server was away counts from its return", async () => {
    const returned = new SilenceWatch(
      { ...server.ctx, startedAt: server.clock.now() },
      new SenderStates(server.ctx),
    );
    await pass(90, checkout, heap);
    server.clock.advance(5 * hourMs);
    await round();
    await round(returned);
    expect((await alerts()).filter(({ isOpen }) => isOpen)).toEqual([]);
  });
});
