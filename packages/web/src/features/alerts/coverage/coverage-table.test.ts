// @vitest-environment happy-dom
import type { CoveredSignal } from "@flamekeep/contract";
import { describe, expect, it } from "vitest";
import {
  inReadingOrder,
  noiseText,
  riseText,
  sharedReasons,
  sightText,
  signalName,
  withinText,
} from "./coverage-table.tsx";

function signal(part: Partial<CoveredSignal> = {}): CoveredSignal {
  return {
    type: "cpu",
    sample_type: "cpu/nanoseconds",
    judged_by: "learnt_noise",
    reason: null,
    noise: { window_seconds: 600, deviation: 0.03 },
    smallest: { increase: 0.153, within_seconds: 86_400 },
    within_hour: { increase: 0.18, within_seconds: 3000 },
    rises: [],
    ...part,
  };
}

describe("the sentence about a signal", () => {
  it("has the rise that is found within an hour, and the smallest where that is less", () => {
    expect(sightText(signal({ within_hour: { increase: 0.25, within_seconds: 3000 } }))).toBe(
      "Detects +25% within 50 min, +16% within 24 h. An increase of 15% is not detected.",
    );
    expect(sightText(signal({ within_hour: { increase: 0.16, within_seconds: 1200 } }))).toBe(
      "Detects +16% within 20 min. An increase of 15% is not detected.",
    );
  });

  it("has the smallest rise if none is found within an hour", () => {
    expect(
      sightText(signal({ within_hour: null, smallest: { increase: 0.3, within_seconds: 259_200 } })),
    ).toBe("Detects +30% within 3 d. An increase of 15% is not detected.");
  });

  it("does not say that the least increase is missed where it is found", () => {
    const least = { increase: 0.15, within_seconds: 86_400 };
    expect(sightText(signal({ within_hour: null, smallest: least }))).toBe("Detects +15% within 24 h.");
  });

  it("has large rises as multiples", () => {
    const least = { increase: 9.2, within_seconds: 10_800 };
    expect(sightText(signal({ within_hour: null, smallest: least }))).toBe(
      "Detects 11 times the level within 3 h. An increase of 15% is not detected.",
    );
  });

  it("says so if nothing is found or judged", () => {
    expect(sightText(signal({ judged_by: "nothing", smallest: null, within_hour: null }))).toBe(
      "Not evaluated.",
    );
    expect(sightText(signal({ smallest: null, within_hour: null }))).toBe("No increase is detected.");
  });
});

describe("numbers", () => {
  it("are rounded so that they promise no more than is true", () => {
    expect([1200, 4500, 5401, 43_200, 90_000, 259_200].map(withinText)).toEqual([
      "20 min",
      "75 min",
      "2 h",
      "12 h",
      "25 h",
      "3 d",
    ]);
    expect([0.15, 0.1501, 1.2].map(riseText)).toEqual(["15%", "16%", "120%"]);
    expect([0.0004, 0.0074, 0.03, 0.166].map(noiseText)).toEqual(["±0.1%", "±0.7%", "±3%", "±17%"]);
  });
});

describe("signals", () => {
  it("are named as in alerts, custom ones as their program names them", () => {
    expect(signalName(signal())).toBe("CPU time");
    expect(signalName(signal({ signal: "http_p95", route: "GET /orders" }))).toBe("p95 of GET /orders");
    expect(signalName(signal({ type: "custom", sample_type: "shop/open_carts/count" }))).toContain("open");
  });

  it("that share a reason have it once", () => {
    const young = (text: string) => signal({ reason: { code: "few_days", text } });
    const shared = [young("8 hours of history."), young("8 hours of history."), young("8 hours of history.")];
    expect(sharedReasons([...shared, signal()])).toEqual([{ text: "8 hours of history.", signals: 3 }]);
    expect(sharedReasons(shared.slice(1))).toEqual([]);
  });

  it("do not get the reason of others with the same code", () => {
    const few = (text: string) => signal({ reason: { code: "few_profiles", text } });
    const mixed = [few("Not evaluated."), few("Not evaluated."), few("Only large increases.")];
    expect(sharedReasons(mixed)).toEqual([]);
    expect(sharedReasons([...mixed, few("Not evaluated.")])).toEqual([
      { text: "Not evaluated.", signals: 3 },
    ]);
  });

  it("of profiles come first, those that nothing judges last", () => {
    const [none, route, custom, cpu] = [
      signal({ judged_by: "nothing", type: "custom" }),
      signal({ signal: "http_p95", route: "GET /" }),
      signal({ type: "custom" }),
      signal(),
    ];
    expect(inReadingOrder([none, route, custom, cpu])).toEqual([cpu, custom, route, none]);
  });
});
