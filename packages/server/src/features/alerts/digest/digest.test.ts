import { randomUUID } from "node:crypto";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { isFullLength } from "@flamekeep/profile/testing/full-length";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "#context";
import type { Delivery, Mail } from "#mail/mailer.ts";
import { JobLog } from "#store/job-log.ts";
import { acrossOrganizations } from "#store/row/row-store.ts";
import { rowBackends } from "#store/testing/backends.ts";
import type { Person, TestApp } from "#testing/start-app.ts";
import { startAppOn } from "#testing/start-app-on.ts";
import { runDigests } from "./send-digests.ts";

const backends = await rowBackends(isFullLength);

const at = "2026-11-20T06:30:00.000Z";
const nowMs = Date.parse(at);
const settingsUrl = "/api/v1/protected/alert-digest";

describe.each(backends)("a digest on $name", (backend) => {
  let server: TestApp;
  let ada: Person;
  let result: Delivery;
  const mails: Mail[] = [];

  /** Another process over the same row store. */
  const process = (): Context => ({
    ...server.ctx,
    mailer: {
      isSending: true,
      waiting: async () => 0,
      async deliver(mail) {
        mails.push(mail);
        return result;
      },
    },
  });

  const run = () => {
    const ctx = process();
    return runDigests(ctx, new JobLog(ctx.log, "the job of digests"));
  };

  beforeAll(async () => {
    server = await startAppOn(backend, { at });
    result = "sent";
  });
  afterAll(() => server.close());
  afterEach(async () => {
    await acrossOrganizations(server.ctx.rows).deleteFrom("alertDigests").execute();
  });
  beforeEach(async () => {
    mails.length = 0;
    result = "sent";
    const elapsedMs = server.ctx.now().getTime() - nowMs;
    server.clock.advance(-elapsedMs);
    ada = await server.signUp();
  });

  /** An access token lasts fifteen minutes. */
  async function tokenOf({ email, password }: Person): Promise<string> {
    const payload = { email, password };
    const reply = await server.app.inject({ method: "POST", url: "/auth/login", payload });
    expect(reply.statusCode).toBe(200);
    return reply.json().tokens.access_token;
  }

  async function call(method: "GET" | "PUT", payload?: object, url = settingsUrl, as = ada) {
    const options = { method, url, headers: { authorization: `Bearer ${await tokenOf(as)}` } };
    const reply = await server.app.inject(payload === undefined ? options : { ...options, payload });
    return { status: reply.statusCode, body: reply.json() };
  }

  async function setUp(digest: object): Promise<void> {
    await call("PUT", { emails: ["oncall@example.com"] }, "/api/v1/protected/alert-settings");
    expect((await call("PUT", digest)).status).toBe(200);
  }

  /** Rises of one service with the function that grew, each with its own sample type. */
  async function storeIncident(
    service: string,
    openedMs: number,
    increases: readonly number[],
    resolvedMs?: number,
  ) {
    const incidentId = randomUUID();
    for (const [index, increase] of increases.entries()) {
      const at = new Date(openedMs + index).toISOString();
      const grown = {
        name: "main.hashPrices",
        file: "/app/cart.go",
        line: 47,
        ...{
          selfBefore: 1,
          selfAfter: 2,
          totalBefore: 1,
          totalAfter: 2,
          share: 0.9,
          totalShare: 0.9,
          ownShare: 0.82,
        },
      };
      await server.ctx.rows
        .insertInto("alerts")
        .values({
          id: index === 0 ? incidentId : randomUUID(),
          orgId: ada.orgId,
          incidentId,
          service,
          ...(index === 0
            ? { type: "cpu", sampleType: "cpu/nanoseconds" }
            : { type: "memory", sampleType: "inuse_space/bytes" }),
          profileId: "3f9a1c07be52d8e4460b7c91691e9f40",
          beganAt: at,
          openedAt: at,
          resolvedAt: resolvedMs === undefined ? null : new Date(resolvedMs).toISOString(),
          previousValue: 1e9,
          currentValue: 1e9 * (1 + increase),
          increase,
          baselineFrom: at,
          baselineTo: at,
          currentFrom: at,
          currentTo: at,
          functions: JSON.stringify([grown]),
          reference: "{}",
          circumstances: null,
        })
        .execute();
    }
  }

  it("is off until an admin turns it on, and says when it is due", async () => {
    expect((await call("GET")).body).toEqual({
      frequency: "off",
      hour_utc: 7,
      weekday: "monday",
      channels: ["email"],
      is_sent_when_empty: false,
      next_at: null,
      last: null,
    });
    const daily = await call("PUT", { frequency: "daily", hour_utc: 7 });
    expect(daily.body).toMatchObject({ frequency: "daily", next_at: "2026-11-20T07:00:00.000Z" });
    const weekly = {
      frequency: "weekly",
      weekday: "friday",
      hour_utc: 6,
      channels: ["slack", "email", "slack"],
    };
    expect((await call("PUT", weekly)).body).toMatchObject({
      weekday: "friday",
      next_at: "2026-11-27T06:00:00.000Z",
      channels: ["slack", "email"],
    });
    expect((await call("GET")).body).toMatchObject({ frequency: "weekly" });
    expect((await call("PUT", { frequency: "off" })).body).toMatchObject({ frequency: "off", next_at: null });
    for (const wrong of [{ frequency: "hourly" }, { frequency: "daily", channels: ["pagerduty"] }]) {
      expect((await call("PUT", wrong)).status).toBe(400);
    }
  });

  it("lists the incidents of its time, and the largest rises with their function", async () => {
    await setUp({ frequency: "daily", hour_utc: 7 });
    await storeIncident("checkout", nowMs + 10 * minuteMs, [0.42, 0.95]);
    await storeIncident("search", nowMs - 5 * hourMs, [0.31], nowMs + 20 * minuteMs);
    await storeIncident("catalog", nowMs - 3 * dayMs, [0.55]);
    await storeIncident("older", nowMs - 3 * dayMs, [0.77], nowMs - 2 * dayMs);
    await run();
    expect(mails).toEqual([]);
    server.clock.advance(31 * minuteMs);
    await run();
    expect(mails.map(({ to, subject }) => ({ to, subject }))).toEqual([
      { to: ["oncall@example.com"], subject: "Daily digest: 1 incident opened, 1 resolved, 2 open" },
    ]);
    const { text = "" } = mails[0] ?? {};
    expect(text.split("\n")).toEqual([
      "From 2026-11-20 06:30 UTC to 2026-11-20 07:00 UTC.",
      "",
      "Opened (1):",
      "- checkout: CPU up 42.0%, memory in use up 95.0%, since 2026-11-20 06:40 UTC, open",
      "",
      "Resolved (1):",
      "- search: CPU up 31.0%, since 2026-11-20 01:30 UTC, resolved at 2026-11-20 06:50 UTC",
      "",
      "Still open (1):",
      "- catalog: CPU up 55.0%, since 2026-11-17 06:30 UTC, open",
      "",
      "Largest increases:",
      "- checkout: memory in use up 95.0%, 82% of it in main.hashPrices (cart.go:47)",
      "- catalog: CPU up 55.0%, 82% of it in main.hashPrices (cart.go:47)",
      "- checkout: CPU up 42.0%, 82% of it in main.hashPrices (cart.go:47)",
      "",
      "Open in Flamekeep:",
      expect.stringMatching(/\/alerts$/),
      "",
    ]);
    expect((await call("GET")).body.last).toEqual({
      to: "2026-11-20T07:00:00.000Z",
      deliveries: [{ channel: "email", status: "delivered", error: null }],
    });
  });

  it("is sent once, by two processes and after a restart", async () => {
    await setUp({ frequency: "daily", hour_utc: 7 });
    await storeIncident("checkout", nowMs, [0.42]);
    server.clock.advance(31 * minuteMs);
    await Promise.all([run(), run(), run()]);
    await run();
    expect(mails).toHaveLength(1);
    server.clock.advance(dayMs);
    await Promise.all([run(), run()]);
    expect(mails).toHaveLength(2);
    expect(mails[1]?.text).toContain("From 2026-11-20 07:00 UTC to 2026-11-21 07:00 UTC.");
  });

  it("is sent although that of another organization fails", async () => {
    const eve = await server.signUp();
    await setUp({ frequency: "daily", hour_utc: 7 });
    await storeIncident("checkout", nowMs, [0.42]);
    const [row] = await acrossOrganizations(server.ctx.rows).selectFrom("alertDigests").selectAll().execute();
    const damaged = { ...row!, orgId: eve.orgId, channels: "not JSON", nextAt: at };
    await server.ctx.rows.insertInto("alertDigests").values(damaged).execute();
    server.clock.advance(31 * minuteMs);
    expect(await run()).toBe(false);
    expect(mails).toHaveLength(1);
  });

  it("covers the time of an outage, in one message", async () => {
    await setUp({ frequency: "daily", hour_utc: 7 });
    server.clock.advance(3 * dayMs);
    await storeIncident("checkout", nowMs + dayMs, [0.42], nowMs + 2 * dayMs);
    await run();
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain("From 2026-11-20 06:30 UTC to 2026-11-22 07:00 UTC.");
    expect(mails[0]?.text).toContain("Opened (1):");
    expect(mails[0]?.text).toContain("Resolved (1):");
  });

  it("is repeated with the same id while the mail server does not take it", async () => {
    await setUp({ frequency: "daily", hour_utc: 7 });
    await storeIncident("checkout", nowMs, [0.42]);
    server.clock.advance(31 * minuteMs);
    result = "failed";
    await run();
    expect((await call("GET")).body.last.deliveries).toEqual([
      { channel: "email", status: "due", error: expect.stringContaining("mail server") },
    ]);
    result = "sent";
    await run();
    expect(mails).toHaveLength(1);
    server.clock.advance(minuteMs);
    await run();
    expect(mails).toHaveLength(2);
    expect(mails[1]).toEqual(mails[0]);
    expect((await call("GET")).body.last.deliveries[0]).toMatchObject({ status: "delivered", error: null });
  });

  it("is not sent if nothing happened, unless that is chosen", async () => {
    await setUp({ frequency: "daily", hour_utc: 7 });
    server.clock.advance(31 * minuteMs);
    await run();
    expect(mails).toEqual([]);
    await setUp({ frequency: "daily", hour_utc: 7, is_sent_when_empty: true });
    server.clock.advance(dayMs);
    await run();
    expect(mails.map(({ subject }) => subject)).toEqual([
      "Daily digest: 0 incidents opened, 0 resolved, 0 open",
    ]);
  });

  it("leaves out muted alerts, channels that are not set up, and other organizations", async () => {
    await setUp({ frequency: "daily", hour_utc: 7, channels: ["email", "slack"] });
    await storeIncident("checkout", nowMs, [0.42]);
    await storeIncident("noisy", nowMs, [0.9]);
    await storeIncident("scheduled", nowMs, [0.7]);
    const resolvedAt = new Date(nowMs + minuteMs).toISOString();
    await server.ctx.rows
      .updateTable("alerts")
      .set({ withheldAt: resolvedAt, resolvedAt })
      .where("orgId", "=", ada.orgId)
      .where("service", "=", "scheduled")
      .execute();
    const mute = { method: "POST", url: "/api/v1/protected/alerts/mute", headers: ada.headers } as const;
    const muted = await server.app.inject({ ...mute, payload: { service: "noisy" } });
    expect(muted.statusCode).toBe(200);
    const other = await server.signUp();
    await call("PUT", { emails: ["other@example.com"] }, "/api/v1/protected/alert-settings", other);
    await call("PUT", { frequency: "daily", hour_utc: 7 }, settingsUrl, other);
    server.clock.advance(31 * minuteMs);
    await run();
    expect(mails.map(({ to }) => to)).toEqual([["oncall@example.com"]]);
    expect(mails[0]?.text).toContain("checkout");
    expect(mails[0]?.text).not.toContain("noisy");
    expect(mails[0]?.text).not.toContain("scheduled");
  });
});
