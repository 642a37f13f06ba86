import { minuteMs } from "@flamekeep/contract/durations";
import { writeProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runAlerts } from "#alerts/job.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";

const at = "2026-11-20T12:00:00.000Z";
const nowMs = Date.parse(at);
const cellMinutes = 10;
/** Uploads that arrive together are stored together, in a tenth of the time. */
const uploadsAtOnce = 18;

let server: TestApp;
let ada: Person;
let headers: Record<string, string>;

beforeAll(async () => {
  server = await startApp({ at });
  ada = await server.signUp();
  headers = (await server.makeKey(ada)).headers;
  const sent: Promise<unknown>[] = [];
  for (let minute = -8 * 60; minute < 0; minute += cellMinutes) {
    const isWorse = minute >= -120;
    const slow = { route: ["GET", "/checkout"], count: 120, seconds: isWorse ? 0.216 : 0.12 } as const;
    const failing = { route: ["POST", "/pay"], count: 150, failed: isWorse ? 15 : 0 } as const;
    const shop = sendRequests("shop", minute, [
      slow,
      failing,
      { route: ["GET", "/rare"], count: 60, seconds: isWorse ? 1 : 0.1, failed: isWorse ? 20 : 0 },
      { route: ["GET", "/wrong"], count: 110, failed: isWorse ? 50 : 0, status: 404 },
      { route: ["GET", "/fine"], count: 110, failed: minute % 20 === 0 ? 1 : 0 },
    ]);
    sent.push(shop, sendRequests("without-profiles", minute, [slow, failing]), sendCpu(minute + 1));
    if (sent.length >= uploadsAtOnce) await Promise.all(sent.splice(0));
  }
  await Promise.all(sent);
  server.clock.advance(2 * minuteMs);
  await runAlerts(server.ctx, { name: "alerts", holder: "this test", lastsMs: minuteMs });
});
afterAll(() => server.close());

interface Requests {
  readonly route: readonly [method: string, path: string];
  readonly count: number;
  /** The p95. */
  readonly seconds?: number;
  readonly failed?: number;
  readonly status?: number;
}

async function sendRequests(service: string, minute: number, all: readonly Requests[]): Promise<void> {
  const payload = all.flatMap(({ route: [method, path], count, seconds = 0.1, failed = 0, status = 503 }) =>
    Array.from({ length: count }, (_, index) => ({
      method,
      path,
      duration: (seconds * (index + 1)) / (0.95 * count),
      status_code: index < failed ? status : 200,
      timestamp: nowMs + minute * minuteMs + Math.floor((index * cellMinutes * minuteMs) / count),
      request_id: `${service} ${path} ${minute} ${index}`,
    })),
  );
  const url = "/api/v1/ingest/http-metrics";
  const reply = await server.app.inject({ method: "POST", url, query: { service }, headers, payload });
  expect(reply.statusCode).toBe(200);
}

async function sendCpu(minute: number): Promise<void> {
  const profile = profileOf(
    `
    main
    ${100_000_000 + (minute % 7) * 100_000}`,
    { sampleTypes: ["cpu/nanoseconds"], durationNs: 10_000_000_000n },
  );
  const started = new Date(nowMs + minute * minuteMs).toISOString();
  await server.send(writeProfile(profile), {
    headers,
    query: { service: "shop", type: "cpu", started_at: started },
  });
}

async function alerts() {
  const reply = await server.app.inject({ url: "/api/v1/protected/alerts", headers: ada.headers });
  expect(reply.statusCode).toBe(200);
  return reply.json().alerts;
}

describe("requests of services", () => {
  it("open an alert for the p95 and one for the error rate, of routes with enough requests", async () => {
    const opened = (await alerts()).map((alert: { service: string; signal: string; route: string }) => [
      ...[alert.service, alert.signal, alert.route],
    ]);
    expect(opened.sort()).toEqual([
      ["shop", "http_error_rate", "POST /pay"],
      ["shop", "http_p95", "GET /checkout"],
      ["without-profiles", "http_error_rate", "POST /pay"],
      ["without-profiles", "http_p95", "GET /checkout"],
    ]);
  });

  it("give the alert their values and the newest CPU profile as evidence", async () => {
    const all = await alerts();
    const slow = all.find((alert: { signal: string }) => alert.signal === "http_p95");
    expect(slow).toMatchObject({
      type: "cpu",
      profile_type: "cpu",
      sample_type: "cpu/nanoseconds",
      unit: "seconds",
      functions: [],
    });
    expect(slow.profile_id).toMatch(/^[0-9a-f]{32}$/);
    expect(slow.previous_value / 0.12).toBeCloseTo(1, 1);
    expect(slow.current_value / 0.216).toBeGreaterThan(0.7);
    expect(slow.current_value / 0.216).toBeLessThan(1.03);
    const failing = all.find((alert: { signal: string }) => alert.signal === "http_error_rate");
    expect(failing).toMatchObject({ unit: "ratio", previous_value: expect.closeTo(0.001, 6) });
    expect(failing.current_value).toBeGreaterThan(0.03);
  });

  it("lead to their newest batch where the service sends no profiles", async () => {
    const all = await alerts();
    const { profile_id: id } = all.find(({ service }: { service: string }) => service === "without-profiles");
    const reply = await server.app.inject({
      url: `/api/v1/protected/profile/${id}`,
      headers: ada.headers,
    });
    expect(reply.json()).toMatchObject({ service: "without-profiles", type: "metrics" });
  });
});
