import { minuteMs } from "@flamekeep/contract/durations";
import { writeProfile } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, startApp, type TestApp } from "#testing/start-app.ts";
import { runAlerts } from "./job.ts";

const at = "2026-11-20T12:00:00.000Z";
const nowMs = Date.parse(at);
const MiB = 1024 * 1024;

let server: TestApp;
let ada: Person;

interface Moment {
  readonly isWorse: boolean;
  readonly index: number;
  /** A little more or less than 1. */
  readonly wobble: number;
}

beforeAll(async () => {
  server = await startApp({ at });
  ada = await server.signUp();
  const { headers } = await server.makeKey(ada);
  let allocated = 0;
  for (let minute = -90, index = 0; minute < 0; minute += 2, index++) {
    const moment = { isWorse: minute >= -30, index, wobble: 1 + ((index % 5) - 2) / 100 };
    allocated += (moment.isWorse ? 480 : 240) * MiB * moment.wobble;
    const send = (service: string, type: string, profile: Uint8Array) =>
      server.send(profile, {
        headers,
        query: { service, type, started_at: new Date(nowMs + minute * minuteMs).toISOString() },
      });
    await Promise.all([
      send("windows", "memory", heap(moment, (moment.isWorse ? 40 : 20) * MiB * moment.wobble, 10)),
      send("snapshots", "memory", heap(moment, allocated, 0)),
      send("shop", "custom", custom(moment)),
    ]);
  }
  server.clock.advance(2 * minuteMs);
  await runAlerts(server.ctx, { name: "alerts", holder: "this test", lastsMs: minuteMs });
});
afterAll(() => server.close());

/** Memory in use does not change. */
function heap({ wobble }: Moment, allocated: number, seconds: number): Uint8Array {
  return writeProfile(
    profileOf(
      `
      main
      main.encode
      ${Math.round(allocated)},${Math.round(64 * MiB * wobble)}`,
      {
        sampleTypes: ["alloc_space/bytes", "inuse_space/bytes"],
        durationNs: BigInt(seconds) * 1_000_000_000n,
      },
    ),
  );
}

/** Open carts double; so do events, which are no gauge. */
function custom({ isWorse, wobble }: Moment): Uint8Array {
  const count = Math.round((isWorse ? 2000 : 1000) * wobble);
  return writeProfile(
    profileOf(
      `
      main
      main.open
      ${count},${count}`,
      { sampleTypes: ["shop_events/count", "open_carts/count"], durationNs: 0n },
    ),
  );
}

async function alertsOf(service: string) {
  const reply = await server.app.inject({
    url: `/api/v1/protected/alerts?service=${service}`,
    headers: ada.headers,
  });
  return reply.json().alerts;
}

describe("an alert opens for", () => {
  it.each([
    ["windows", "profiles of a window"],
    ["snapshots", "snapshots of what was allocated since the start"],
  ])("the allocation rate of %s: %s", async (service) => {
    const [alert, ...others] = await alertsOf(service);
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      profile_type: "memory",
      sample_type: "alloc_space/bytes",
      unit: "bytes per second",
      culprit: { name: "main.encode" },
    });
    expect(alert.previous_value / (2 * MiB)).toBeCloseTo(1, 1);
    expect(alert.current_value).toBeGreaterThan(2.5 * MiB);
    expect(alert.current_value).toBeLessThanOrEqual(4.1 * MiB);
  });

  it("what a custom profile counts at one moment, not for events", async () => {
    const [alert, ...others] = await alertsOf("shop");
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      profile_type: "custom",
      sample_type: "open_carts/count",
      unit: "count",
      culprit: { name: "main.open" },
    });
    expect(alert.previous_value / 1000).toBeCloseTo(1, 1);
  });
});
