import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { expect, it } from "vitest";
import { nextChange } from "#alerts/detect/next-change.ts";
import { toSeries } from "#alerts/detect/series/series.ts";
import { observedOf } from "#alerts/detect/testing/observed-of.ts";
import { noUsualDay, type Reference } from "./reference.ts";

const risesMs = 10 * dayMs;
const fallsMs = risesMs + 4 * hourMs;

/** Hours from the fall to the message that the alert is over; undefined if it stays open for two days. */
function resolvedAfter(
  isGauge: boolean,
  increase: number,
  during: (hours: number) => number,
  after: (hours: number) => number = () => 1,
): number | undefined {
  const level = (ms: number) => {
    if (ms < risesMs) return 1;
    return ms < fallsMs ? during((ms - risesMs) / hourMs) : after((ms - fallsMs) / hourMs);
  };
  const values = toSeries(
    Array.from({ length: (13 * dayMs) / minuteMs }, (_, minute): [number, number] => {
      const ms = minute * minuteMs;
      return [ms, 100 * level(ms) * (1 + 0.02 * Math.sin(minute * 2.399))];
    }),
  );
  const open: Reference = {
    atMs: risesMs + 20 * minuteMs,
    beganMs: risesMs,
    previous: 100,
    requests: undefined,
    usual: noUsualDay,
    increase,
  };
  const span = { fromMs: open.atMs, toMs: fallsMs + 2 * dayMs };
  const change = nextChange(observedOf(values, { isGauge }), span, open);
  return change?.kind === "resolved" ? (change.atMs - fallsMs) / hourMs : undefined;
}

it("a clear step that ends is over within an hour, of a gauge as well", () => {
  expect(resolvedAfter(false, 0.5, () => 1.5)).toBeLessThan(1);
  expect(resolvedAfter(true, 0.5, () => 1.5)).toBeLessThan(1);
});

it("a small rise of a gauge must stay low for twice as long as it lasted, because it may have been growth", () => {
  expect(resolvedAfter(false, 0.18, () => 1.18)).toBeLessThan(1);
  const hours = resolvedAfter(true, 0.18, () => 1.18);
  expect(hours).toBeGreaterThanOrEqual(8);
  expect(hours).toBeLessThan(9);
});

it("a restart does not end the alert about a gauge that grows again", () => {
  const again = (hours: number) => 1.03 ** hours;
  expect(resolvedAfter(true, 0.18, () => 1.18, again)).toBeUndefined();
});
