import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import { describe, expect, it } from "vitest";
import { rhythmOf, serviceStateOf, silenceMsOf, type TypeState } from "./silence.ts";

/** Spans of minutes in which a profile came every `every` minutes. */
function sent(every: number, ...spans: readonly (readonly [from: number, to: number])[]) {
  const all = spans.flatMap(([from, to]) =>
    Array.from({ length: Math.floor((to - from) / every) + 1 }, (_, index) => from + index * every),
  );
  const latest = all.at(-1)!;
  return {
    minutes: all.filter((minute) => minute > latest - 1440),
    hours: [...new Set(all.map((minute) => Math.floor(minute / 60)))],
  };
}

describe("the rhythm of a sender", () => {
  it("is regular once it sent for an hour, at its median interval", () => {
    expect(rhythmOf(sent(1, [0, 60]))).toEqual({ intervalMs: minuteMs, isRegular: true });
    expect(rhythmOf(sent(15, [0, 300]))).toEqual({ intervalMs: 15 * minuteMs, isRegular: true });
    expect(rhythmOf(sent(1, [0, 50]))).toMatchObject({ isRegular: false });
  });

  it("survives one outage of some hours in a week", () => {
    expect(rhythmOf(sent(1, [0, 5 * 1440], [5 * 1440 + 300, 7 * 1440])).isRegular).toBe(true);
  });

  it("is not regular for a batch job that runs for two hours every night", () => {
    const nights = [0, 1, 2, 3].map((day) => [day * 1440, day * 1440 + 120] as const);
    expect(rhythmOf(sent(1, ...nights)).isRegular).toBe(false);
  });

  it("is not regular for a service that is scaled down at night", () => {
    const days = [0, 1, 2, 3].map((day) => [day * 1440, day * 1440 + 720] as const);
    expect(rhythmOf(sent(1, ...days)).isRegular).toBe(false);
  });

  it("is not regular for three profiles that somebody took by hand", () => {
    expect(rhythmOf({ minutes: [0, 40, 95], hours: [0, 1] }).isRegular).toBe(false);
    expect(rhythmOf({ minutes: [], hours: [] }).isRegular).toBe(false);
  });
});

it("a sender is waited for ten minutes, or five of its intervals", () => {
  expect(silenceMsOf(15_000)).toBe(10 * minuteMs);
  expect(silenceMsOf(15 * minuteMs)).toBe(75 * minuteMs);
});

describe("the state of a service", () => {
  const at = 100 * hourMs;
  const type = (name: string, state: TypeState["state"], minutesAgo: number): TypeState => ({
    type: name,
    state,
    intervalMs: minuteMs,
    latestMs: at - minutesAgo * minuteMs,
    receivedMs: at - minutesAgo * minuteMs,
  });

  it("is silent if nothing arrived after its fastest type stopped, although the interval of another type is not over", () => {
    const types = [type("cpu", "silent", 12), type("memory", "sending", 13)];
    expect(serviceStateOf(types)).toEqual({ state: "silent", sinceMs: at - 12 * minuteMs });
  });

  it("has types that stopped if others go on", () => {
    const types = [type("cpu", "silent", 30), type("memory", "sending", 1)];
    expect(serviceStateOf(types)).toEqual({ state: "stopped_types", sinceMs: at - 30 * minuteMs });
  });

  it("is irregular if it never sent regularly", () => {
    expect(serviceStateOf([type("cpu", "irregular", 200)])).toEqual({ state: "irregular", sinceMs: null });
    expect(serviceStateOf([type("cpu", "irregular", 200), type("memory", "sending", 1)]).state).toBe(
      "sending",
    );
  });
});
