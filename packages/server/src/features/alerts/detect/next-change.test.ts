import { minuteMs } from "@flamekeep/contract/durations";
import { expect, it } from "vitest";
import { toSeries } from "#alerts/detect/series/series.ts";
import { observedOf } from "#alerts/detect/testing/observed-of.ts";
import { nextChange } from "./next-change.ts";

/** All changes, in minutes; evaluated in rounds of five minutes, or at once. */
function changesOf(values: readonly (readonly [minute: number, value: number])[], roundMinutes: number) {
  const observed = observedOf(toSeries(values.map(([minute, value]) => [minute * minuteMs, value])), {
    isFault: true,
    isGauge: true,
  });
  const changes: string[] = [];
  let open: Parameters<typeof nextChange>[2];
  for (let fromMs = 0; fromMs < 300 * minuteMs; fromMs += roundMinutes * minuteMs) {
    const toMs = fromMs + roundMinutes * minuteMs;
    for (let at = fromMs; ; ) {
      const change = nextChange(observed, { fromMs: at, toMs }, open);
      if (change === undefined) break;
      at = change.atMs;
      const isOpening = change.kind === "opened";
      if (isOpening) {
        const { beganMs, previous, current } = change.evaluation;
        changes.push(`${at / minuteMs} opened since ${beganMs! / minuteMs} from ${previous} to ${current}`);
        open = { ...change.evaluation, atMs: at, requests: undefined, usual: { values: [], requests: [] } };
      } else {
        changes.push(`${at / minuteMs} resolved`);
        open = undefined;
      }
    }
  }
  return changes;
}

it.each([5, 300])(
  "a fault opens with its first profile and ends with profiles without it, rounds of %i minutes",
  (round) => {
    const values = [0, 0, 0, 3, 3, 3, 0, 0, 0, 0, 0, 0].map(
      (value, index) => [index * 10 + 2, value] as const,
    );
    expect(changesOf(values, round)).toEqual(["35 opened since 32 from 0 to 3", "85 resolved"]);
  },
);

it("a fault of one instance is not ended by the profiles of the others", () => {
  const values = Array.from({ length: 60 }, (_, index) => [index * 5 + 1, index % 5 === 2 ? 1 : 0] as const);
  expect(changesOf(values, 5)).toEqual(["15 opened since 11 from 0 to 1"]);
});

it("profiles without a fault open nothing", () => {
  expect(
    changesOf(
      [
        [1, 0],
        [100, 0],
        [200, 0],
      ],
      5,
    ),
  ).toEqual([]);
  expect(changesOf([], 5)).toEqual([]);
});
