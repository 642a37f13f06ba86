import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { toSeries } from "#alerts/detect/series/series.ts";
import { runAlerts } from "#alerts/job.ts";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { highestBefore } from "./describe-alert.ts";

const at = "2026-11-20T12:00:00.000Z";
const nowMs = Date.parse(at);
const lease = { name: "alerts", holder: "this test", lastsMs: 60_000 };

let server: TestApp;
let ada: Person;

beforeAll(async () => {
  server = await startApp({ at });
  ada = await server.signUp();
  const { headers } = await server.makeKey(ada);
  for (let minute = -600; minute < 0; minute += 15) {
    const count = 55 + (minute % 2) + Math.max(0, Math.round((minute + 225) * 1.7));
    const profile = profileOf(`main.main\nmain.ask\n${count}`, { sampleTypes: ["goroutine/count"] });
    const started = new Date(nowMs + minute * minuteMs).toISOString();
    await server.send(profile, {
      headers,
      query: { service: "search", type: "goroutine", started_at: started },
    });
  }
});
afterAll(() => server.close());

it("an alert about a leak has the value of the newest profiles, and a range that begins with the leak", async () => {
  server.clock.advance(minuteMs);
  expect(await runAlerts(server.ctx, lease)).toBe(true);
  const reply = await server.app.inject({ url: "/api/v1/protected/alerts", headers: ada.headers });
  const [alert, ...others] = reply.json().alerts;
  expect(others).toEqual([]);
  const beganMs = Date.parse(alert.began_at);
  expect(Math.abs(beganMs - (nowMs - 225 * minuteMs))).toBeLessThanOrEqual(hourMs / 2);
  expect(Date.parse(alert.current_range.from)).toBeGreaterThanOrEqual(beganMs);
  const toMs = Date.parse(alert.current_range.to);
  const newest = 55 + Math.floor((toMs - nowMs) / (15 * minuteMs) + 15) * 15 * 1.7;
  expect(alert.current_value / newest).toBeGreaterThan(0.85);
  expect(alert.current_value / newest).toBeLessThan(1.1);
});

const beforeMs = 30 * dayMs;

function series(level: (ms: number) => number) {
  const points: [number, number][] = [];
  for (let ms = 0; ms < 31 * dayMs; ms += 5 * minuteMs) points.push([ms, level(ms)]);
  return toSeries(points);
}

it("is the highest hour of the three weeks before, and not a single profile", () => {
  const values = series((ms) => {
    if (ms >= beforeMs || ms < 5 * dayMs) return 100;
    if (ms === 20 * dayMs) return 20;
    return ms >= 25 * dayMs && ms < 25 * dayMs + hourMs ? 7 : 2;
  });
  expect(highestBefore(values, beforeMs)).toEqual({ value: 7, at: new Date(25 * dayMs).toISOString() });
});

it("is unknown of a series without profiles", () => {
  expect(highestBefore(toSeries([]), beforeMs)).toBeNull();
});
