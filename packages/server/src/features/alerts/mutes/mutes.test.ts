import { randomUUID } from "node:crypto";
import type { AlertMute, MuteProposal, MuteSchedule } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRowStore } from "#store/row/row-store.ts";
import { quietLog, rowBackends } from "#store/testing/backends.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { storeAlert } from "#testing/store-alert.ts";
import { insertMute, isMuted, listedMutes, mutesAt, removeMute } from "./queries.ts";

/** A Friday. */
const at = "2026-11-20T12:00:00.000Z";
const profileId = "3f9a1c07be52d8e4460b7c91691e9f40";

const sundays: MuteSchedule = {
  weekdays: ["sunday"],
  from: "02:00",
  to: "05:00",
  time_zone: "Europe/Berlin",
};

const backends = await rowBackends(isFullLength);

describe.each(backends)("a mute that recurs, on $name", (backend) => {
  it("is in force in its windows only, and listed until it is removed", async () => {
    const place = await backend.create();
    const rows = await openRowStore(place.config, quietLog);
    const orgId = randomUUID();
    await rows
      .insertInto("organizations")
      .values({ id: orgId, name: "Acme", isDemo: 0, createdAt: at })
      .execute();
    const mute = { id: randomUUID(), orgId, service: "checkout", type: "cpu", tags: "{}", reason: "" };
    const schedule = JSON.stringify(sundays);
    await insertMute(rows, { ...mute, mutedBy: null, createdAt: at, startsAt: at, until: null, schedule });
    const alert = { service: "checkout", type: "cpu", increase: 0.5, circumstances: null };
    const isMutedAt = async (time: string) => isMuted(alert, await mutesAt(rows, orgId, new Date(time)));
    expect(await isMutedAt(at)).toBe(false);
    expect(await isMutedAt("2026-11-22T00:59:59.999Z")).toBe(false);
    expect(await isMutedAt("2026-11-22T01:00:00.000Z")).toBe(true);
    expect(await isMutedAt("2026-11-22T03:59:59.999Z")).toBe(true);
    expect(await isMutedAt("2026-11-22T04:00:00.000Z")).toBe(false);
    expect(await isMutedAt("2027-07-04T00:00:00.000Z")).toBe(true);
    expect(await listedMutes(rows, orgId, new Date(at))).toMatchObject([{ schedule: sundays }]);
    expect(await removeMute(rows, randomUUID(), mute.id)).toBeUndefined();
    expect(await removeMute(rows, orgId, mute.id)).toMatchObject({ service: "checkout", schedule: sundays });
    expect(await isMutedAt("2026-11-22T01:00:00.000Z")).toBe(false);
    await rows.destroy();
    await place.remove();
  });
});

interface Reply {
  readonly muted: AlertMute[];
  readonly proposals: MuteProposal[];
  readonly error: string;
}

describe("the calls", () => {
  let server: TestApp;
  let ada: Person;

  beforeAll(async () => {
    server = await startApp({ at });
    ada = await server.signUp();
  });
  afterAll(() => server.close());

  async function call(method: "GET" | "POST" | "DELETE", url: string, payload?: object, as = ada) {
    const path = `/api/v1/protected/alerts/${url}`;
    const reply = await server.app.inject({
      method,
      url: path,
      headers: as.headers,
      ...(payload && { payload }),
    });
    return { status: reply.statusCode, body: reply.json() as Reply };
  }

  async function end(): Promise<void> {
    const { body } = await call("GET", "mutes");
    for (const { id } of body.muted) await call("DELETE", `mutes/${id}`);
  }

  const auditTexts = async () => {
    const events = await server.rows
      .selectFrom("auditEntries")
      .select(["event", "target"])
      .where("orgId", "=", ada.orgId)
      .where("event", "in", ["alerts.muted", "alerts.unmuted"])
      .orderBy("id")
      .execute();
    return events.map(({ event, target }) => `${event}: ${target}`);
  };

  it("list the schedule with its next window, and one entry for the same schedule", async () => {
    const scheduled = { service: "checkout", type: "cpu", reason: "Weekly report", schedule: sundays };
    await call("POST", "mute", scheduled);
    const { status, body } = await call("POST", "mute", {
      ...scheduled,
      schedule: { ...sundays, weekdays: ["sunday", "sunday"] },
    });
    expect(status).toBe(200);
    const window = { from: "2026-11-22T01:00:00.000Z", to: "2026-11-22T04:00:00.000Z" };
    expect(body.muted).toMatchObject([{ ...scheduled, starts_at: at, until: null, window }]);
    const planned = { service: "search", schedule: sundays, starts_at: "2026-11-22T04:00:00.000Z" };
    const [later] = (await call("POST", "mute", planned)).body.muted.slice(-1);
    expect(later).toMatchObject({ ...planned, window: { from: "2026-11-29T01:00:00.000Z" } });
    await call("DELETE", `mutes/${later!.id}`);
    await call("POST", "mute", { ...scheduled, schedule: { ...sundays, weekdays: ["monday"] } });
    await call("POST", "mute", { service: "checkout", type: "cpu" });
    expect((await call("GET", "mutes")).body.muted.map((mute) => mute.schedule?.weekdays)).toHaveLength(3);
    await call("POST", "unmute", { service: "checkout", type: "cpu" });
    expect((await call("GET", "mutes")).body.muted).toHaveLength(2);
    await end();
    expect(await auditTexts()).toEqual([
      "alerts.muted: checkout, cpu, every Sunday 02:00 to 05:00 Europe/Berlin",
      "alerts.muted: checkout, cpu, every Sunday 02:00 to 05:00 Europe/Berlin",
      "alerts.muted: search, every type, every Sunday 02:00 to 05:00 Europe/Berlin",
      "alerts.unmuted: search, every type, every Sunday 02:00 to 05:00 Europe/Berlin",
      "alerts.muted: checkout, cpu, every Monday 02:00 to 05:00 Europe/Berlin",
      "alerts.muted: checkout, cpu",
      "alerts.unmuted: checkout, cpu",
      expect.stringContaining("alerts.unmuted: checkout, cpu, every "),
      expect.stringContaining("alerts.unmuted: checkout, cpu, every "),
    ]);
  });

  it("reject times that no clock shows, unknown zones and weeks without a day", async () => {
    const wrong = [
      { ...sundays, from: "24:00" },
      { ...sundays, to: "5:00" },
      { ...sundays, time_zone: "Mars/Base" },
      { ...sundays, time_zone: "+02:00" },
      { ...sundays, weekdays: [] },
      { ...sundays, weekdays: ["someday"] },
    ];
    for (const schedule of wrong) {
      const { status, body } = await call("POST", "mute", { service: "checkout", schedule });
      expect([status, body.error]).toEqual([400, expect.stringContaining("schedule")]);
    }
    expect((await call("GET", "mutes")).body.muted).toEqual([]);
  });

  it("show alerts as muted in the window, do not end the schedule of others by a click, and say which one it is", async () => {
    const eve = await server.signUp();
    await storeAlert(server.rows, { orgId: ada.orgId, service: "checkout", at, profileId });
    const shown = async () => {
      const reply = await server.app.inject({ url: "/api/v1/protected/alerts", headers: ada.headers });
      return reply.json().alerts.map((alert: { is_muted: boolean }) => alert.is_muted);
    };
    const now = { ...sundays, weekdays: ["friday"], from: "12:00", to: "13:05" };
    await call("POST", "mute", { service: "checkout", schedule: now }, eve);
    expect(await shown()).toEqual([false]);
    await call("POST", "mute", { service: "checkout", type: "cpu", schedule: now });
    expect(await shown()).toEqual([true]);
    const { status, body } = await call("POST", "unmute", { service: "checkout", type: "cpu" });
    expect([status, body.error]).toEqual([
      422,
      "A schedule covers these alerts (checkout, cpu, every Friday 12:00 to 13:05 Europe/Berlin). End it under Settings, Alerts.",
    ]);
    server.clock.advance(5 * minuteMs);
    expect(await shown()).toEqual([false]);
    await end();
  });

  it("propose a schedule for alerts that come back, until a mute covers them", async () => {
    const [bob, eve] = [await server.signUp(), await server.signUp()];
    const store = (openedAt: string, resolvedAt: string | null) =>
      storeAlert(
        server.rows,
        { orgId: bob.orgId, service: "reports", at: openedAt, profileId },
        { resolvedAt },
      );
    const proposals = async (as = bob, zone = "?time_zone=Europe/Berlin") =>
      (await call("GET", `mutes/proposals${zone}`, undefined, as)).body.proposals;
    // Sundays at 02:20, on both sides of the end of summer time.
    const ids = [
      await store("2026-10-18T00:20:00.000Z", "2026-10-18T02:40:00.000Z"),
      await store("2026-11-08T01:20:00.000Z", "2026-11-08T03:40:00.000Z"),
    ];
    const schedule = { ...sundays, to: "05:00" };
    const proposed = { service: "reports", type: "cpu", schedule, times: 2, alert_ids: ids };
    expect(await proposals()).toEqual([proposed]);
    expect(await proposals(bob, "")).toEqual([]);
    expect(await proposals(eve)).toEqual([]);
    const markedId = await store("2026-11-15T01:20:00.000Z", "2026-11-15T01:30:00.000Z");
    const mark = { orgId: bob.orgId, alertId: markedId, expectedAt: at };
    await server.rows.insertInto("alertHandling").values(mark).execute();
    expect(await proposals()).toEqual([proposed]);
    await store("2026-10-11T00:20:00.000Z", "2026-10-11T02:40:00.000Z");
    expect((await proposals())[0]?.times).toBe(2);
    const scope = { service: "reports", type: "cpu" };
    await call("POST", "mute", { ...scope, schedule: { ...schedule, weekdays: ["monday"] } }, bob);
    await call("POST", "mute", { ...scope, until: "2026-11-21T00:00:00.000Z" }, bob);
    expect(await proposals()).toEqual([proposed]);
    await call("POST", "mute", { ...scope, schedule }, bob);
    expect(await proposals()).toEqual([]);
    const wrong = await call("GET", "mutes/proposals?time_zone=Mars/Base", undefined, bob);
    expect([wrong.status, wrong.body.error]).toEqual([400, expect.stringContaining("time_zone")]);
  });

  it("propose a limited number of times a minute", async () => {
    const zoe = await server.signUp();
    const replies: number[] = [];
    for (let count = 0; count < 31; count++) {
      replies.push((await call("GET", "mutes/proposals", undefined, zoe)).status);
    }
    expect(replies.slice(-2)).toEqual([200, 429]);
  });
});
