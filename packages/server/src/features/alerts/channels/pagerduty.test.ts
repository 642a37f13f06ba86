import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Alert } from "@flamekeep/contract";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startApp, type TestApp } from "#testing/start-app.ts";
import { incidentMessage, testMessage } from "./message.ts";
import { pagerDutyAt } from "./pagerduty.ts";

const at = "2026-11-20T12:00:00.000Z";
const key = "e93facc04764012d7bfb002500d5d1a6";
const publicUrl = "https://flamekeep.example.com";

const alert: Alert = {
  id: "c4a7de01-58b3-4f96-a2d0-6e9b13f7c845",
  incident_id: "0b8d2f16-7f0e-4d0c-9a55-2f6f0a3c9d11",
  profile_id: "3f9a1c07be52d8e4460b7c91691e9f40",
  type: "cpu",
  profile_type: "cpu",
  sample_type: "cpu/nanoseconds",
  unit: "nanoseconds per second",
  service: "checkout",
  timestamp: at,
  began_at: "2026-11-20T11:42:10.000Z",
  status: "open",
  resolved_at: null,
  severity: "warning",
  previous_value: 1e9,
  current_value: 1.3e9,
  increase: 0.3,
  percent_change: 30,
  functions: [
    {
      name: "main.hashPrices",
      self_before: 1,
      self_after: 2,
      total_before: 1,
      total_after: 2,
      share: 0.82,
      total_share: 0.97,
    },
  ],
  previous_range: { from: at, to: at },
  current_range: { from: at, to: at },
  is_muted: false,
};

const incidentOf = (...signals: Alert[]) => ({ id: alert.incident_id, signals });

let receiver: Server;
let server: TestApp;
let status: number;
let channel: ReturnType<typeof pagerDutyAt>;
const received: { readonly path: string; readonly event: Record<string, unknown> }[] = [];

beforeAll(async () => {
  receiver = createServer((request, reply) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      received.push({ path: `${request.method} ${request.url}`, event: JSON.parse(body) });
      reply.writeHead(status).end();
    });
  });
  await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
  const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  channel = pagerDutyAt({ us: `${origin}/us`, eu: `${origin}/eu` });
  server = await startApp({ at, env: { ALERT_WEBHOOKS_ALLOW_PRIVATE: "on" } });
});
afterAll(async () => {
  await server.close();
  receiver.close();
});
beforeEach(() => {
  received.length = 0;
  status = 202;
});

const send = (message: ReturnType<typeof incidentMessage>, region: "us" | "eu" = "us") =>
  channel.send(server.ctx, { secrets: { key }, settings: { region } }, { id: "delivery-1", message });

it("an alert triggers an incident, and resolves the same one", async () => {
  const opened = incidentMessage("opened", incidentOf(alert), publicUrl);
  expect(await send(opened)).toEqual({ ok: true, message: "Answered 202" });
  const over = { ...alert, status: "resolved", resolved_at: "2026-11-20T13:00:00.000Z" } as const;
  expect((await send(incidentMessage("resolved", incidentOf(over), publicUrl))).ok).toBe(true);
  expect(received.map(({ path }) => path)).toEqual(["POST /us/v2/enqueue", "POST /us/v2/enqueue"]);
  expect(received.map(({ event }) => event)).toEqual([
    {
      routing_key: key,
      event_action: "trigger",
      dedup_key: `flamekeep-${alert.incident_id}`,
      client: "Flamekeep",
      client_url: server.ctx.config.publicUrl,
      links: [{ href: opened.link, text: "Open the incident" }],
      payload: {
        summary: "Warning: CPU of checkout up 30.0%",
        source: "checkout",
        component: "checkout",
        class: "cpu",
        severity: "warning",
        timestamp: at,
        custom_details: {
          description: opened.text,
          signals: [
            {
              service: "checkout",
              profile_type: "cpu",
              began_at: "2026-11-20T11:42:10.000Z",
              previous_value: 1e9,
              current_value: 1.3e9,
              unit: "nanoseconds per second",
              percent_change: 30,
              functions: [{ name: "main.hashPrices", share: 0.82 }],
            },
          ],
        },
      },
    },
    { routing_key: key, event_action: "resolve", dedup_key: `flamekeep-${alert.incident_id}` },
  ]);
});

it.each(["critical", "warning", "info"] as const)("the severity %s keeps its name", async (severity) => {
  await send(incidentMessage("opened", incidentOf({ ...alert, severity }), publicUrl));
  expect(received.map(({ event }) => event["payload"])).toMatchObject([{ severity }]);
});

it("a test opens an incident of the lowest severity and resolves it", async () => {
  expect((await send(testMessage(publicUrl), "eu")).ok).toBe(true);
  expect(received).toMatchObject([
    {
      path: "POST /eu/v2/enqueue",
      event: { event_action: "trigger", dedup_key: "flamekeep-delivery-1", payload: { severity: "info" } },
    },
    { path: "POST /eu/v2/enqueue", event: { event_action: "resolve", dedup_key: "flamekeep-delivery-1" } },
  ]);
});

it("a refused key is reported, and nothing follows", async () => {
  status = 400;
  expect(await send(testMessage(publicUrl))).toEqual({ ok: false, message: "Answered 400" });
  expect(received).toHaveLength(1);
});

it("a name too long for PagerDuty is cut off", async () => {
  await send(incidentMessage("opened", incidentOf({ ...alert, service: "s".repeat(2000) }), publicUrl));
  const payload = received[0]!.event["payload"] as { summary: string };
  expect(payload.summary).toHaveLength(1024);
});
