import { describe, expect, it } from "vitest";
import { profiledRequests, trafficOf } from "./traffic.ts";

/** 10 requests per second, in 30 minutes of the range. */
const counted = { requests: 18_000, minutes: 30 };
const minuteMs = 60_000;

describe("the requests while the profiler ran", () => {
  it("are those of one instance, for the time that its profiles last", () => {
    expect(profiledRequests(trafficOf(counted, 1)!, minuteMs)).toBe(600);
    expect(profiledRequests(trafficOf(counted, 4)!, 4 * minuteMs)).toBe(600);
    expect(profiledRequests(trafficOf(counted, 1.25)!, minuteMs)).toBe(480);
    expect(profiledRequests(trafficOf(counted, 1)!, 0)).toBe(0);
  });

  it("are all requests at most, where replicas that look alike profile all the time", () => {
    expect(profiledRequests(trafficOf(counted, 1)!, 10 * 30 * minuteMs)).toBe(18_000);
  });

  it("are all requests at most, where a service without load is profiled all the time", () => {
    const rare = trafficOf({ requests: 5, minutes: 5 }, 1)!;
    expect(profiledRequests(rare, 60 * minuteMs)).toBe(5);
  });

  it("are those of one instance where there are no profiles, and unknown without requests", () => {
    expect(trafficOf(counted, undefined)).toEqual({ requests: 18_000, requestsPerSecond: 10 });
    expect(trafficOf({ requests: 0, minutes: 0 }, 2)).toBeUndefined();
  });
});
