import { createHmac, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { digestWeekdays } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { createApp } from "../../app.ts";
import { testMessage } from "./channels/message.ts";
import { post } from "./channels/post.ts";
import { minuteText } from "./channels/signal-text.ts";
import { slackText } from "./channels/slack.ts";
import { delayMs, getTargets, storeTargets } from "./channels/targets.ts";
import { teamsMessage } from "./channels/teams.ts";
import { deliverDue } from "./deliver.ts";
import { noUsualDay } from "./detect/resolution/reference.ts";
import { runAlerts } from "./job.ts";
import type { NewAlert } from "./row/stored-alert.ts";
import { storeProgress } from "./store/queries.ts";
import { recordGrown, recordOpened, recordResolved, recordUnmuted } from "./store/record-change.ts";

const at = "2026-11-20T12:00:00.000Z";
const settingsUrl = "/api/v1/protected/alert-settings";
const secret = "a secret of some length";
const routingKey = "e93facc04764012d7bfb002500d5d1a6";

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let receiver: Server;
let origin: string;
let status: number;
const received: Received[] = [];

let server: TestApp;
let ada: Person;

beforeAll(async () => {
  receiver = createServer((request, reply) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      received.push({ path: request.url ?? "", headers: request.headers, body });
      reply.writeHead(status, { location: "/elsewhere" }).end();
    });
  });
  await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  server = await startApp({ at, env: { ALERT_WEBHOOKS_ALLOW_PRIVATE: "on" } });
  ada = await server.signUp();
});
afterAll(async () => {
  await server.close();
  receiver.close();
});
beforeEach(() => {
  received.length = 0;
  status = 200;
});

async function call(method: "GET" | "PUT" | "POST", url: string, payload?: object, as = ada) {
  const reply = await server.app.inject({
    method,
    url,
    headers: as.headers,
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: reply.statusCode, body: reply.json(), text: reply.body };
}

function alertOf(orgId: string, service: string): NewAlert {
  return {
    circumstances: null,
    id: randomUUID(),
    orgId,
    service,
    type: "cpu",
    sampleType: "cpu/nanoseconds",
    profileId: "3f9a1c07be52d8e4460b7c91691e9f40",
    beganAt: "2026-11-20T11:42:10.000Z",
    openedAt: at,
    resolvedAt: null,
    previousValue: 1e9,
    currentValue: 1.5e9,
    increase: 0.5,
    baselineFrom: at,
    baselineTo: at,
    currentFrom: at,
    currentTo: at,
    functions: "[]",
    reference: JSON.stringify({ atMs: Date.parse(at), previous: 1e9, usual: noUsualDay }),
  };
}

const sampleTypes = {
  cpu: "cpu/nanoseconds",
  memory: "inuse_space/bytes",
  mutex: "delay/nanoseconds",
  goroutine: "goroutine/count",
};

function signalOf(service: string, type: keyof typeof sampleTypes, increase = 0.5): NewAlert {
  return { ...alertOf(ada.orgId, service), type, sampleType: sampleTypes[type], increase };
}

const deliveries = (alertId: string) =>
  server.rows.selectFrom("alertDeliveries").selectAll().where("alertId", "=", alertId).execute();

describe("settings of delivery", () => {
  it("are limited to admins, and never return a secret", async () => {
    const secretPath = `${origin}/hooks/T0000/secret-part?token=abc`;
    const changed = await call("PUT", settingsUrl, {
      webhook_url: secretPath,
      webhook_secret: secret,
      slack_url: secretPath,
      teams_url: secretPath,
      pagerduty_routing_key: routingKey,
      pagerduty_region: "eu",
      emails: ["oncall@example.com"],
    });
    const expected = {
      webhook: { is_set: true, origin, is_signed: true },
      slack: { is_set: true, origin },
      teams: { is_set: true, origin },
      pagerduty: { is_set: true, region: "eu" },
      emails: ["oncall@example.com"],
      problem: null,
    };
    expect([changed.status, changed.body]).toEqual([200, expected]);
    const shown = await call("GET", settingsUrl);
    expect(shown.body).toEqual(expected);
    const hidden = ["secret-part", "token=", secret, routingKey];
    for (const part of hidden) expect(shown.text).not.toContain(part);
    const { targets } = await server.rows
      .selectFrom("alertSettings")
      .select("targets")
      .executeTakeFirstOrThrow();
    for (const part of hidden) expect(targets).not.toContain(part);
    for (const part of hidden) expect(server.logged.join()).not.toContain(part);
    const member = await server.signUp();
    await server.setRole(member, "member");
    for (const answer of [
      await call("GET", settingsUrl, undefined, member),
      await call("PUT", settingsUrl, {}, member),
      await call("POST", `${settingsUrl}/test`, { channel: "webhook" }, member),
    ]) {
      expect(answer.status).toBe(403);
    }
  });

  it("keep omitted fields and clear null ones", async () => {
    await call("PUT", settingsUrl, {
      webhook_url: `${origin}/a`,
      webhook_secret: secret,
      slack_url: null,
      teams_url: null,
      emails: [],
    });
    const kept = await call("PUT", settingsUrl, { emails: ["a@example.com"] });
    expect(kept.body.webhook).toEqual({ is_set: true, origin, is_signed: true });
    const forgotten = await call("PUT", settingsUrl, { webhook_url: null, webhook_secret: null, emails: [] });
    expect(forgotten.body.webhook).toEqual({ is_set: false, origin: null, is_signed: false });
    expect(forgotten.body.pagerduty).toEqual({ is_set: true, region: "eu" });
    const removed = await call("PUT", settingsUrl, { pagerduty_routing_key: null });
    expect(removed.body.pagerduty).toEqual({ is_set: false, region: "eu" });
    const nothing = await call("POST", `${settingsUrl}/test`, { channel: "webhook" });
    expect(nothing.status).toBe(422);
  });

  it("keep what each of several changes at the same time set", async () => {
    for (let round = 0; round < 5; round++) {
      await call("PUT", settingsUrl, { webhook_url: null, slack_url: null, emails: [] });
      await Promise.all([
        call("PUT", settingsUrl, { webhook_url: `${origin}/a` }),
        call("PUT", settingsUrl, { slack_url: `${origin}/b` }),
        call("PUT", settingsUrl, { emails: ["a@example.com"] }),
      ]);
      const { body } = await call("GET", settingsUrl);
      expect(body).toMatchObject({
        webhook: { is_set: true },
        slack: { is_set: true },
        emails: ["a@example.com"],
      });
    }
  });

  it.each([
    "ftp://example.com/x",
    "http://user:pass@example.com/",
    "javascript:alert(1)",
    "example.com",
    "http://",
  ])("refuse %s", async (url) => {
    const { status, body } = await call("PUT", settingsUrl, { webhook_url: url });
    expect([status, body.code]).toEqual([400, "invalid"]);
    expect(body.error).toContain("webhook_url must be");
  });
});

it("an address in the private network is refused when it is saved, unless the operator allows it", async () => {
  const guarded = await startApp({ at });
  try {
    const { headers } = await guarded.signUp();
    const save = (webhook_url: string) =>
      guarded.app.inject({ method: "PUT", url: settingsUrl, payload: { webhook_url }, headers });
    for (const url of ["http://127.0.0.1:9/x", "https://10.1.2.3/x", "http://[::1]/x"]) {
      const refused = await save(url);
      expect([refused.statusCode, refused.json().error]).toEqual([
        400,
        expect.stringMatching(
          /^The webhook's URL cannot be used: \S+ is in a private network; set ALERT_WEBHOOKS/,
        ),
      ]);
    }
    expect((await save("https://hooks.example.com/x")).statusCode).toBe(200);
  } finally {
    await guarded.close();
  }
});

it.each(["", "too-short", "e93facc04764012d7bfb002500d5d1a6\n", "e93facc0-4764-012d-7bfb-002500d5d1a6"])(
  "settings of delivery refuse %j as PagerDuty's key",
  async (key) => {
    const { status, body } = await call("PUT", settingsUrl, { pagerduty_routing_key: key });
    expect([status, body.code]).toEqual([400, "invalid"]);
    expect(body.error).toContain("pagerduty_routing_key must be");
  },
);

describe("a webhook", () => {
  beforeAll(async () => {
    const targets = { webhook_url: `${origin}/hook`, webhook_secret: secret, slack_url: null, emails: [] };
    expect((await call("PUT", settingsUrl, targets)).status).toBe(200);
  });

  it("gets a signed message, which is repeated with the same key until it is accepted", async () => {
    const alert = alertOf(ada.orgId, "checkout");
    expect(await recordOpened(server.ctx.rows, alert, server.ctx.now())).toBe(true);
    status = 500;
    await deliverDue(server.ctx);
    await deliverDue(server.ctx);
    expect(received.map(({ path }) => path)).toEqual(["/hook"]);
    expect(await deliveries(alert.id)).toMatchObject([
      { status: "due", attempts: 1, lastError: "Answered 500" },
    ]);
    server.clock.advance(delayMs(1));
    status = 200;
    await deliverDue(server.ctx);
    expect(received).toHaveLength(2);
    expect(await deliveries(alert.id)).toMatchObject([{ status: "delivered", attempts: 2, lastError: null }]);
    server.clock.advance(delayMs(2));
    await deliverDue(server.ctx);
    expect(received).toHaveLength(2);
    const [first, second] = received as [Received, Received];
    expect(second.headers["idempotency-key"]).toBe(first.headers["idempotency-key"]);
    for (const { headers, body } of [first, second]) {
      const signedText = `${headers["x-flamekeep-timestamp"]}.${body}`;
      const mac = createHmac("sha256", secret).update(signedText).digest("hex");
      expect(headers["x-flamekeep-signature"]).toBe(`v1=${mac}`);
    }
    expect(JSON.parse(second.body)).toMatchObject({
      event: "opened",
      title: "Critical: CPU of checkout up 50.0%",
    });
    expect(JSON.parse(second.body).text).toBe(
      "From 1 core to 1.5 cores, per instance, since 2026-11-20 11:42 UTC.",
    );
    const link = new URL(JSON.parse(second.body).link);
    expect(link.pathname).toBe("/alerts");
    expect(Object.fromEntries(link.searchParams)).toEqual({ incident: alert.id });
    expect(JSON.parse(second.body).incident_link).toBe(link.href);
    expect(JSON.parse(second.body).alert).toMatchObject({ id: alert.id, severity: "critical" });
  });

  it("that cannot be decrypted says so in its deliveries, and the others go out", async () => {
    const other = await server.signUp();
    await call("PUT", settingsUrl, { webhook_url: `${origin}/other` }, other);
    const targets = await getTargets(server.ctx.rows, other.orgId);
    const url = `${targets.webhook!.secrets.url?.slice(0, -8)}changed!`;
    const changed = { ...targets, webhook: { secrets: { url }, settings: {} } };
    await storeTargets(server.ctx.rows, other.orgId, changed, server.ctx.now());
    const [broken, working] = [alertOf(other.orgId, "broken"), alertOf(ada.orgId, "working")];
    for (const alert of [broken, working]) await recordOpened(server.ctx.rows, alert, server.ctx.now());
    expect(await deliverDue(server.ctx)).toBe(1);
    const [delivery] = await deliveries(broken.id);
    expect(delivery).toMatchObject({ status: "due", attempts: 1 });
    expect(delivery?.lastError).toMatch(
      /^The webhook's URL cannot be decrypted: its stored text was changed/,
    );
    expect(await deliveries(working.id)).toMatchObject([{ status: "delivered" }]);
  });

  it("gets a message when an alert resolves, and none for muted alerts", async () => {
    const loud = alertOf(ada.orgId, "loud");
    const quiet = alertOf(ada.orgId, "quiet");
    const series = { service: "quiet", type: "cpu" };
    expect((await call("POST", "/api/v1/protected/alerts/mute", series)).status).toBe(200);
    for (const alert of [loud, quiet]) {
      await recordOpened(server.ctx.rows, alert, server.ctx.now());
      expect(
        await recordResolved(server.ctx.rows, alert, server.ctx.now().toISOString(), server.ctx.now()),
      ).toBe(true);
    }
    await deliverDue(server.ctx);
    expect(received.map(({ body }) => JSON.parse(body).title).sort()).toEqual([
      "Critical: CPU of loud up 50.0%",
      "Resolved: CPU of loud",
    ]);
    expect(await deliveries(quiet.id)).toEqual([]);
  });

  it("gets the message that an alert is over which opened before it was muted, so that no incident stays open", async () => {
    const alert = alertOf(ada.orgId, "later");
    await recordOpened(server.ctx.rows, alert, server.ctx.now());
    await deliverDue(server.ctx);
    const series = { service: "later", type: "cpu" };
    expect((await call("POST", "/api/v1/protected/alerts/mute", series)).status).toBe(200);
    await recordGrown(server.ctx.rows, alert, { increase: 0.9 }, server.ctx.now());
    await recordResolved(server.ctx.rows, alert, server.ctx.now().toISOString(), server.ctx.now());
    await deliverDue(server.ctx);
    expect(received.map(({ body }) => JSON.parse(body).event)).toEqual(["opened", "resolved"]);
  });

  it("gets one message for the signals of a round, one for each change, and one when the last is over", async () => {
    const { rows } = server.ctx;
    const now = () => server.ctx.now();
    const cpu = signalOf("release", "cpu", 0.3);
    const memory = signalOf("release", "memory", 0.3);
    const mutex = signalOf("release", "mutex", 0.3);
    const late = signalOf("release", "goroutine", 0.3);
    const sent = async () => {
      await deliverDue(server.ctx);
      return received.splice(0).map(({ body }) => JSON.parse(body));
    };
    await call("POST", "/api/v1/protected/alerts/mute", { service: "release", type: "mutex" });
    for (const alert of [mutex, cpu, memory]) await recordOpened(rows, alert, now());
    const [opened, ...others] = await sent();
    expect(others).toEqual([]);
    expect(opened).toMatchObject({
      event: "opened",
      title: "Warning: 2 signals of release: CPU up 30.0%, memory in use up 30.0%",
      incident: { id: mutex.id, signals: [{ id: cpu.id }, { id: memory.id }] },
    });
    await recordOpened(rows, late, now());
    expect(await sent()).toMatchObject([{ event: "updated", incident: { id: mutex.id } }]);
    await recordGrown(rows, late, { increase: 0.4 }, now());
    expect(await sent()).toEqual([]);
    await recordGrown(rows, late, { increase: 0.6 }, now());
    expect(await sent()).toMatchObject([
      { event: "updated", title: expect.stringMatching(/^Update: Critical: 3 signals/) },
    ]);
    const over = now().toISOString();
    for (const alert of [cpu, late]) await recordResolved(rows, alert, over, now());
    expect(await sent()).toEqual([]);
    await recordResolved(rows, memory, over, now());
    expect(await sent()).toMatchObject([{ event: "resolved", title: "Resolved: all 3 signals of release" }]);
    await recordResolved(rows, mutex, over, now());
    expect(await sent()).toEqual([]);
  });

  it("lists a signal that joined while earlier attempts failed in the message that opens", async () => {
    const { rows } = server.ctx;
    const [cpu, memory] = [signalOf("retried", "cpu"), signalOf("retried", "memory")];
    status = 500;
    await recordOpened(rows, cpu, server.ctx.now());
    await deliverDue(server.ctx);
    await recordOpened(rows, memory, server.ctx.now());
    await deliverDue(server.ctx);
    expect(received.map(({ body }) => JSON.parse(body).event)).toEqual(["opened", "opened"]);
    status = 200;
    server.clock.advance(delayMs(2));
    expect(await deliverDue(server.ctx)).toBe(1);
    expect(JSON.parse(received[2]!.body).incident.signals).toHaveLength(2);
    expect(await deliverDue(server.ctx)).toBe(0);
    expect(await deliveries(memory.id)).toMatchObject([{ event: "updated", status: "delivered" }]);
  });

  describe("after a mute", () => {
    const mute = async (service: string, minutes: number) => {
      const until = new Date(server.ctx.now().getTime() + minutes * minuteMs).toISOString();
      const { status: muted } = await call("POST", "/api/v1/protected/alerts/mute", { service, until });
      expect(muted).toBe(200);
    };
    const leaseOf = (holder: string) => ({ name: "alerts", holder, lastsMs: 5 * minuteMs });
    const round = async () => {
      expect(await runAlerts(server.ctx, leaseOf("one"))).toBe(true);
      return received.splice(0).map(({ body }) => JSON.parse(body));
    };
    const unmute = () => recordUnmuted(server.ctx.rows, ada.orgId, server.ctx.now());

    it("gets the message of an alert that is still open, once, with since when and that it was muted", async () => {
      const alert = alertOf(ada.orgId, "planned");
      await mute("planned", 1);
      await recordOpened(server.ctx.rows, alert, server.ctx.now());
      expect([await unmute(), await deliverDue(server.ctx)]).toEqual([0, 0]);
      server.clock.advance(minuteMs);
      const unmutedAt = server.ctx.now().toISOString();
      // A process that stops before it sends, and a second one at the same time.
      const both = await Promise.all([unmute(), unmute()]);
      expect(both.toSorted()).toEqual([0, 1]);
      await deliverDue(server.ctx);
      const [message, ...others] = received.splice(0).map(({ body }) => JSON.parse(body));
      expect(others).toEqual([]);
      expect(message).toMatchObject({ event: "opened", title: "Critical: CPU of planned up 50.0%" });
      expect(message.text).toBe(
        `From 1 core to 1.5 cores, per instance, since 2026-11-20 11:42 UTC.\nIt opened while muted, until ${minuteText(unmutedAt)}.`,
      );
      expect(message.alert.unmuted_at).toBe(unmutedAt);
      expect([await unmute(), await deliverDue(server.ctx)]).toEqual([0, 0]);
      await recordResolved(server.ctx.rows, alert, server.ctx.now().toISOString(), server.ctx.now());
      await deliverDue(server.ctx);
      expect(received.map(({ body }) => JSON.parse(body).event)).toEqual(["resolved"]);
    });

    it("gets nothing while a schedule lasts, and then the message of an alert that is still open", async () => {
      const [over, lasting] = [signalOf("weekly", "memory"), signalOf("weekly", "cpu")];
      const minuteOf = (minutes: number) =>
        new Date(server.ctx.now().getTime() + minutes * minuteMs).toISOString().slice(11, 16);
      const schedule = {
        weekdays: [...digestWeekdays],
        from: minuteOf(-10),
        to: minuteOf(3),
        time_zone: "UTC",
      };
      const { status: muted } = await call("POST", "/api/v1/protected/alerts/mute", {
        service: "weekly",
        schedule,
      });
      expect(muted).toBe(200);
      for (const alert of [over, lasting]) await recordOpened(server.ctx.rows, alert, server.ctx.now());
      server.clock.advance(minuteMs);
      await recordResolved(server.ctx.rows, over, server.ctx.now().toISOString(), server.ctx.now());
      expect([await unmute(), await deliverDue(server.ctx)]).toEqual([0, 0]);
      server.clock.advance(2 * minuteMs);
      const unmutedAt = server.ctx.now().toISOString();
      expect([await unmute(), await deliverDue(server.ctx)]).toEqual([1, 1]);
      const [message] = received.map(({ body }) => JSON.parse(body));
      expect(message).toMatchObject({ event: "opened", alert: { id: lasting.id, unmuted_at: unmutedAt } });
      expect(message.text).toContain(`It opened while muted, until ${minuteText(unmutedAt)}.`);
    });

    it("gets nothing of an alert that resolved before its message, and nothing is held back by it", async () => {
      const [cpu, memory] = [signalOf("over", "cpu"), signalOf("over", "memory")];
      await mute("over", 1);
      for (const alert of [cpu, memory]) await recordOpened(server.ctx.rows, alert, server.ctx.now());
      await recordResolved(server.ctx.rows, cpu, server.ctx.now().toISOString(), server.ctx.now());
      server.clock.advance(minuteMs);
      const goroutine = signalOf("over", "goroutine");
      await recordOpened(server.ctx.rows, goroutine, server.ctx.now());
      await deliverDue(server.ctx);
      await recordResolved(server.ctx.rows, goroutine, server.ctx.now().toISOString(), server.ctx.now());
      await recordResolved(server.ctx.rows, memory, server.ctx.now().toISOString(), server.ctx.now());
      expect(await unmute()).toBe(0);
      await deliverDue(server.ctx);
      expect(received.map(({ body }) => JSON.parse(body).event)).toEqual(["opened", "resolved"]);
      expect([...(await deliveries(cpu.id)), ...(await deliveries(memory.id))]).toEqual([]);
    });

    it("gets one message for all signals, and none while another mute lasts", async () => {
      const [cpu, memory] = [signalOf("twice", "cpu"), signalOf("twice", "memory")];
      await mute("twice", 1);
      for (const alert of [cpu, memory]) await recordOpened(server.ctx.rows, alert, server.ctx.now());
      await mute("twice", 2);
      server.clock.advance(minuteMs);
      expect([await unmute(), await deliverDue(server.ctx)]).toEqual([0, 0]);
      server.clock.advance(minuteMs);
      await recordGrown(server.ctx.rows, cpu, { increase: 0.8 }, server.ctx.now());
      expect(await unmute()).toBe(2);
      expect(await deliverDue(server.ctx)).toBe(1);
      const [message] = received.map(({ body }) => JSON.parse(body));
      expect(message.incident.signals.map(({ id }: { id: string }) => id).toSorted()).toEqual(
        [cpu.id, memory.id].toSorted(),
      );
    });

    it("gets the message in the round of the process that holds the lease, after a person ends the mute", async () => {
      const alert = { ...alertOf(ada.orgId, "ended"), openedAt: server.ctx.now().toISOString() };
      const series = { service: "ended", type: "cpu" };
      await call("POST", "/api/v1/protected/alerts/mute", series);
      // The series has no profiles: an evaluation would resolve the alert.
      const evaluatedTo = server.ctx.now().toISOString();
      await storeProgress(server.ctx.rows, ada.orgId, { evaluatedTo, lookedAt: evaluatedTo });
      await recordOpened(server.ctx.rows, alert, server.ctx.now());
      expect(await round()).toEqual([]);
      await call("POST", "/api/v1/protected/alerts/unmute", series);
      expect(await runAlerts(server.ctx, leaseOf("other"))).toBe(false);
      expect(await round()).toMatchObject([{ event: "opened", alert: { id: alert.id } }]);
      expect(await round()).toEqual([]);
    });
  });

  it("is not followed when it redirects", async () => {
    status = 302;
    const { body } = await call("POST", `${settingsUrl}/test`, { channel: "webhook" });
    expect(body).toEqual({ delivered: false, message: "Answered 302" });
    expect(received.map(({ path }) => path)).toEqual(["/hook"]);
  });
});

describe("the other channels", () => {
  it("send Slack's message format with its markup escaped", async () => {
    await call("PUT", settingsUrl, { slack_url: `${origin}/slack`, webhook_url: null });
    const { body } = await call("POST", `${settingsUrl}/test`, { channel: "slack" });
    expect(body).toEqual({ delivered: true, message: "Answered 200" });
    expect(JSON.parse(received[0]!.body)).toEqual({
      text: expect.any(String),
      parse: "none",
      link_names: false,
      unfurl_links: false,
      unfurl_media: false,
    });
    const hostile = {
      ...testMessage("https://flamekeep.example.com"),
      title: "<!channel> & <https://evil|ok>",
      text: "https:evil.example, HTTP://evil.example, mailto:eve@evil.example and javascript:alert(1)",
    };
    const text = slackText(hostile);
    expect(text).toContain("*&lt;!channel&gt; &amp; &lt;https ://evil|ok&gt;*");
    expect(text).toContain(
      "\nhttps :evil.example, HTTP ://evil.example, mailto :eve@evil.example and javascript :alert(1)\n",
    );
    expect(text).toMatch(/<https:\/\/flamekeep\.example\.com\/[^|]+\|[^>]+>$/);
  });

  it("send Teams an Adaptive Card whose texts are not read as Markdown", async () => {
    await call("PUT", settingsUrl, { teams_url: `${origin}/teams`, slack_url: null });
    const { body } = await call("POST", `${settingsUrl}/test`, { channel: "teams" });
    expect(body).toEqual({ delivered: true, message: "Answered 200" });
    const [{ path, headers, body: sent }] = received as [Received];
    expect([path, headers["content-type"]]).toEqual(["/teams", "application/json"]);
    const run = (text: string, style = {}) => ({
      type: "RichTextBlock",
      inlines: [{ type: "TextRun", text, ...style }],
    });
    const card = {
      type: "AdaptiveCard",
      $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
      version: "1.4",
      msteams: { width: "Full" },
      fallbackText: "Flamekeep test notification",
      body: [
        run("Flamekeep test notification", { size: "Medium", weight: "Bolder", color: "Default" }),
        run("This is a test. Alerts about your services arrive here."),
      ],
      actions: [
        {
          type: "Action.OpenUrl",
          title: "Open in Flamekeep",
          url: `${server.ctx.config.publicUrl}/alerts`,
        },
      ],
    };
    const contentType = "application/vnd.microsoft.card.adaptive";
    const attachments = [{ contentType, contentUrl: null, content: card }];
    expect(JSON.parse(sent)).toEqual({ type: "message", attachments });
  });

  it("send Teams a block for each line", () => {
    const message = {
      ...testMessage("https://flamekeep.example.com"),
      text: "first\n[second](https://evil)",
    };
    const [{ content }] = teamsMessage(message).attachments as [
      ReturnType<typeof teamsMessage>["attachments"][0],
    ];
    expect(content.body.map(({ type, inlines }) => [type, inlines[0]?.text])).toEqual([
      ["RichTextBlock", message.title],
      ["RichTextBlock", "first"],
      ["RichTextBlock", "[second](https://evil)"],
    ]);
  });

  it("write mail into the outbox folder if no mail server is configured", async () => {
    const emails = ["oncall@example.com", "lead@example.com", "OnCall@example.com"];
    await call("PUT", settingsUrl, { emails });
    const { body } = await call("POST", `${settingsUrl}/test`, { channel: "email" });
    expect(body.delivered).toBe(true);
    const outbox = `${server.ctx.config.dataDir}/outbox`;
    const files = await readdir(outbox);
    expect(files).toHaveLength(1);
    const mail = await readFile(`${outbox}/${files[0]}`, "utf8");
    expect(mail).toContain("To: oncall@example.com, lead@example.com");
    expect(mail).toContain("Subject: Flamekeep test notification");
  });
});

it("a mail server that fails is named in the log, and not to organizations", async () => {
  const failing = await startApp({ at, env: { SMTP_URL: "smtp://127.0.0.1:1" } });
  try {
    const { headers } = await failing.signUp();
    const payload = { emails: ["oncall@example.com"] };
    await failing.app.inject({ method: "PUT", url: settingsUrl, headers, payload });
    const test = {
      method: "POST",
      url: `${settingsUrl}/test`,
      headers,
      payload: { channel: "email" },
    } as const;
    expect((await failing.app.inject(test)).json()).toEqual({
      delivered: false,
      message: "The mail server rejected the mail. Flamekeep's log has the reason.",
    });
    expect(failing.logged.join()).toContain("ECONNREFUSED");
  } finally {
    await failing.close();
  }
});

describe("test messages", () => {
  it("stop at the organization's limit within an hour", async () => {
    const env = { ORG_TEST_MESSAGES_PER_HOUR: "6", ALERT_WEBHOOKS_ALLOW_PRIVATE: "on" };
    const limited = await startApp({ at, env });
    try {
      const admin = await limited.signUp();
      const payload = { webhook_url: `${origin}/hook` };
      await limited.app.inject({ method: "PUT", url: settingsUrl, headers: admin.headers, payload });
      const test = () =>
        limited.app.inject({
          method: "POST",
          url: `${settingsUrl}/test`,
          headers: admin.headers,
          payload: { channel: "webhook" },
        });
      const replies = await Promise.all(Array.from({ length: 8 }, test));
      expect(replies.map((reply) => reply.statusCode).toSorted()).toEqual([
        200, 200, 200, 200, 200, 200, 429, 429,
      ]);
      expect(received).toHaveLength(6);
      const refused = await test();
      expect(refused.headers["retry-after"]).toBe("600");
      expect(refused.json().error).toBe(
        "Your organization has reached the limit of 6 test messages per hour (ORG_TEST_MESSAGES_PER_HOUR). Try again in 600 s.",
      );
      limited.clock.advance(600_000);
      expect((await test()).statusCode).toBe(200);
    } finally {
      await limited.close();
    }
  });

  it("go three times to an address, from all organizations together", async () => {
    const limited = await startApp({ at });
    try {
      const [first, second] = [await limited.signUp(), await limited.signUp()];
      const test = async (admin: Person) => {
        const payload = { emails: ["stranger@example.org", `${admin.userId}@example.com`] };
        await limited.app.inject({ method: "PUT", url: settingsUrl, headers: admin.headers, payload });
        return limited.app.inject({
          method: "POST",
          url: `${settingsUrl}/test`,
          headers: admin.headers,
          payload: { channel: "email" },
        });
      };
      for (const admin of [first, second, first]) expect((await test(admin)).statusCode).toBe(200);
      const refused = await test(second);
      expect([refused.statusCode, refused.json().error]).toEqual([
        429,
        "stranger@example.org received three test messages. Try again in 20 min.",
      ]);
    } finally {
      await limited.close();
    }
  });

  it("of a raised limit are all allowed at once, whatever was sent under the lower one", async () => {
    const env = { ORG_TEST_MESSAGES_PER_HOUR: "2", ALERT_WEBHOOKS_ALLOW_PRIVATE: "on" };
    const limited = await startApp({ at, env });
    try {
      const { headers } = await limited.signUp();
      const payload = { webhook_url: `${origin}/hook` };
      await limited.app.inject({ method: "PUT", url: settingsUrl, headers, payload });
      const test = async (app: TestApp["app"]) => {
        const url = `${settingsUrl}/test`;
        const reply = await app.inject({ method: "POST", url, headers, payload: { channel: "webhook" } });
        return reply.statusCode;
      };
      const all = (app: TestApp["app"], count: number) =>
        Promise.all(Array.from({ length: count }, () => test(app)));
      expect((await all(limited.app, 3)).toSorted()).toEqual([200, 200, 429]);
      const organization = { ...limited.ctx.config.organization, testMessagesPerHour: 5 };
      const raised = await createApp({ ...limited.ctx, config: { ...limited.ctx.config, organization } });
      expect((await all(raised, 6)).toSorted()).toEqual([200, 200, 200, 200, 200, 429]);
      await raised.close();
    } finally {
      await limited.close();
    }
  });
});

describe("posting to the outside", () => {
  const send = (url: string, resolve?: typeof import("node:dns").lookup) =>
    post({
      url,
      body: "{}",
      headers: {},
      allowPrivate: false,
      ...(resolve === undefined ? {} : { resolve }),
    });

  it.each([
    "http://127.0.0.1/",
    "http://0x7f.1/",
    "http://2130706433/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://169.254.169.254/latest/meta-data",
    "http://10.1.2.3/",
    "http://[fe80::1]/",
    "http://0.0.0.0/",
    "http://localhost/",
  ])("does not reach %s", async (url) => {
    const { ok, message } = await send(url);
    expect(ok).toBe(false);
    expect(message).toMatch(/private (network|address)/);
  });

  it("does not reach a name that has a private address", async () => {
    const resolve = ((_name: string, _options: object, done: (...args: unknown[]) => void) =>
      done(null, [
        { address: "93.184.215.14", family: 4 },
        { address: "127.0.0.1", family: 4 },
      ])) as unknown as typeof import("node:dns").lookup;
    const port = new URL(origin).port;
    expect((await send(`http://rebound.example.com:${port}/`, resolve)).message).toMatch(
      /private (network|address)/,
    );
    expect(received).toEqual([]);
  });

  it("gives the same answer after the same time for internal names, missing names and slow look-ups", async () => {
    type Done = (error: Error | null, addresses: object[]) => void;
    const resolvers = {
      inside: (done: Done) => done(null, [{ address: "10.0.0.1", family: 4 }]),
      missing: (done: Done) => done(Object.assign(new Error("ENOTFOUND"), { code: "ENOTFOUND" }), []),
      empty: (done: Done) => done(null, []),
      slow: () => undefined,
    };
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const answers: string[] = [];
      const sending = Object.values(resolvers).map(async (answer) => {
        const resolve = ((_name: string, _options: object, done: Done) =>
          answer(done)) as unknown as typeof import("node:dns").lookup;
        const { ok, message } = await send("http://name.example.com/", resolve);
        answers.push(`${ok}: ${message}`);
      });
      await vi.advanceTimersByTimeAsync(2_999);
      expect(answers).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      await Promise.all(sending);
      expect(answers).toHaveLength(4);
      expect([...new Set(answers)]).toEqual([
        "false: name.example.com cannot be used: the host name does not exist or has a private address (allow these with ALERT_WEBHOOKS_ALLOW_PRIVATE=on)",
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("waits longer after each failure, at most six hours", () => {
    const minutes = [1, 2, 3, 4, 9, 10, 15].map((attempt) => delayMs(attempt) / 60_000);
    expect(minutes).toEqual([1, 2, 4, 8, 256, 360, 360]);
  });
});
