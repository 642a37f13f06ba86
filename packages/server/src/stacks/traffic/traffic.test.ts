import { describe, expect, it } from "vitest";
import { profiledRequests, trafficOf } from "./traffic.ts";

/** In 30 minutes of the range, each answered in 20 ms. */
const counted = { requests: 18_000, minutes: 30, durationSeconds: 360 };
/** 10 requests per second of all instances, while profiles of 10 s were taken. */
const observed = { requests: 1000, seconds: 100 };
const minute = { durationMs: 60_000, cpuNs: undefined };

describe("the requests while the profiler ran", () => {
  it("are those of one instance, for the time that its profiles last", () => {
    const ofInstances = (instances: number) => trafficOf(counted, instances, observed);
    expect(profiledRequests(ofInstances(1), minute)).toEqual({ ok: true, requests: 600 });
    expect(profiledRequests(ofInstances(4), { ...minute, durationMs: 240_000 })).toEqual({
      ok: true,
      requests: 600,
    });
    expect(profiledRequests(ofInstances(1.25), minute)).toEqual({ ok: true, requests: 480 });
    expect(profiledRequests(ofInstances(1), { ...minute, durationMs: 0 })).toEqual({
      ok: true,
      requests: 0,
    });
  });

  it("have the rate of the time that was profiled, however much of the range the sender counts", () => {
    const tenSecondsOfFiveMinutes = { requests: 24_000, minutes: 60, durationSeconds: 240 };
    const traffic = trafficOf(tenSecondsOfFiveMinutes, 1, { requests: 3200, seconds: 80 });
    expect(traffic.requestsPerSecond).toBe(40);
    expect(profiledRequests(traffic, { durationMs: 10_000, cpuNs: 3e9 })).toEqual({
      ok: true,
      requests: 400,
    });
  });

  it("are all requests at most, where replicas that look alike profile all the time", () => {
    const traffic = trafficOf(counted, 1, observed);
    expect(profiledRequests(traffic, { ...minute, durationMs: 18_000_000 })).toEqual({
      ok: true,
      requests: 18_000,
    });
  });

  it("are not known if hardly any were counted meanwhile, or the CPU time contradicts their response times", () => {
    const few = trafficOf(counted, 1, { requests: 19, seconds: 100 });
    expect(profiledRequests(few, minute)).toEqual({
      ok: false,
      reason: expect.stringMatching(/^too few requests/),
    });
    // 600 requests of 20 ms: 12 s.
    const traffic = trafficOf(counted, 1, observed);
    expect(profiledRequests(traffic, { ...minute, cpuNs: 48e9 }).ok).toBe(true);
    expect(profiledRequests(traffic, { ...minute, cpuNs: 49e9 })).toEqual({
      ok: false,
      reason: expect.stringContaining("more than 4 times the total response time"),
    });
  });

  it("have the rate of the minutes with requests where the profiles are snapshots, and are of one instance if none is known", () => {
    expect(trafficOf(counted, undefined, undefined)).toEqual({
      requests: 18_000,
      requestsPerSecond: 10,
      requestsInProfiles: 0,
      meanResponseSeconds: 0.02,
    });
  });
});
