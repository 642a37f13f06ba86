import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { expect, it } from "vitest";
import { toSeries } from "#alerts/detect/series/series.ts";
import { hasPrecedents } from "./precedents.ts";

type Span = readonly [fromMs: number, lengthMs: number];

/** A profile each minute at 100, and at 200 in these spans. */
function valuesWith(days: number, spans: readonly Span[]) {
  const isHigh = (ms: number) => spans.some(([fromMs, lengthMs]) => ms >= fromMs && ms < fromMs + lengthMs);
  return toSeries(
    Array.from({ length: (days * dayMs) / minuteMs }, (_, minute): [number, number] => {
      const ms = minute * minuteMs;
      return [ms, (isHigh(ms) ? 200 : 100) * (1 + 0.02 * Math.sin(minute * 2.399))];
    }),
  );
}

const doubled = Math.log(2);
const nowAfter = (beganMs: number, elapsedMs: number) => ({
  beganMs,
  atMs: beganMs + elapsedMs,
  size: doubled,
});
const at = (day: number, hour: number) => day * dayMs + hour * hourMs;

it("three rises that passed within an hour excuse a fourth, at any time, until it lasts longer", () => {
  const before: Span[] = [at(1, 3), at(2, 14), at(5, 9)].map((ms) => [ms, hourMs]);
  const now = at(6, 20);
  const values = valuesWith(8, [...before, [now, dayMs]]);
  expect(hasPrecedents(values, nowAfter(now, 20 * minuteMs), [])).toBe(true);
  expect(hasPrecedents(values, nowAfter(now, 2 * hourMs), [])).toBe(false);
  expect(
    hasPrecedents(valuesWith(8, [...before.slice(1), [now, dayMs]]), nowAfter(now, 20 * minuteMs), []),
  ).toBe(false);
});

it("a batch of two earlier weeks excuses the third, while it lasts no longer", () => {
  const weekly: Span[] = [at(1, 2), at(8, 2.5), at(15, 2)].map((ms) => [ms, 3 * hourMs]);
  const values = valuesWith(16, weekly);
  expect(hasPrecedents(values, nowAfter(at(15, 2), 2.5 * hourMs), [])).toBe(true);
  expect(hasPrecedents(values, nowAfter(at(15, 2), 5 * hourMs), [])).toBe(false);
  expect(hasPrecedents(valuesWith(16, weekly.slice(1)), nowAfter(at(15, 2), 2.5 * hourMs), [])).toBe(false);
});

it("a warm-up after most earlier releases excuses that of the next one", () => {
  const releases = [at(1, 5), at(3, 11), at(6, 17)];
  const warmUps = releases.map((ms): Span => [ms, 30 * minuteMs]);
  const now = releases[2]!;
  expect(hasPrecedents(valuesWith(7, warmUps), nowAfter(now, 25 * minuteMs), releases)).toBe(true);
  // Without the releases these are two rises at any time.
  expect(hasPrecedents(valuesWith(7, warmUps), nowAfter(now, 25 * minuteMs), [])).toBe(false);
  const calm = [at(2, 1), at(4, 1), at(5, 1)];
  expect(hasPrecedents(valuesWith(7, warmUps), nowAfter(now, 25 * minuteMs), [...releases, ...calm])).toBe(
    false,
  );
});

it("smaller rises, rises that stayed, and mornings excuse nothing", () => {
  const now = at(6, 12);
  const rise = nowAfter(now, 20 * minuteMs);
  const before: Span[] = [at(1, 3), at(2, 14), at(5, 9)].map((ms) => [ms, hourMs]);
  expect(hasPrecedents(valuesWith(7, [...before, [now, hourMs]]), { ...rise, size: Math.log(4) }, [])).toBe(
    false,
  );
  expect(hasPrecedents(valuesWith(7, [[at(1, 3), 7 * dayMs]]), rise, [])).toBe(false);
  const waves = toSeries(
    Array.from({ length: (6.5 * dayMs + 20 * minuteMs) / minuteMs }, (_, minute): [number, number] => {
      const wave = 100 * (1 + 0.5 * Math.sin((2 * Math.PI * minute * minuteMs) / dayMs));
      return [minute * minuteMs, minute * minuteMs < now ? wave : 2 * wave];
    }),
  );
  expect(hasPrecedents(waves, rise, [])).toBe(false);
});

it("five bursts, each of its own size and length, excuse one that is larger and longer than all of them", () => {
  const bursts: Span[] = [at(1, 3), at(1, 20), at(2, 14), at(4, 2), at(5, 9)].map((ms, n) => [
    ms,
    (30 + 5 * n) * minuteMs,
  ]);
  const now = at(6, 20);
  const larger = { ...nowAfter(now, 55 * minuteMs), size: Math.log(3.5) };
  expect(hasPrecedents(valuesWith(7, bursts), larger, [])).toBe(true);
  expect(hasPrecedents(valuesWith(7, bursts.slice(1)), larger, [])).toBe(false);
  expect(hasPrecedents(valuesWith(7, bursts), { ...larger, size: Math.log(5) }, [])).toBe(false);
  expect(hasPrecedents(valuesWith(7, bursts), { ...larger, atMs: now + 100 * minuteMs }, [])).toBe(false);
});
