import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type MinuteValue, type RuleChange, ruleChanges, type Threshold } from "./threshold.ts";

const startMs = Date.parse("2026-11-20T10:00:00.000Z");
const minute = (count: number) => startMs + count * minuteMs;
const above: Threshold = { comparison: "above", threshold: 100, minutes: 10 };

/** A value for each minute from the given one on; null leaves the minute out. */
function values(from: number, ...each: readonly (number | null)[]): MinuteValue[] {
  return each.flatMap((value, index) => (value === null ? [] : [{ atMs: minute(from + index), value }]));
}

const times = (count: number, value: number | null) => Array.from({ length: count }, () => value);

function changes(found: readonly MinuteValue[], rule = above, to = 600, isOpen = false, from = -1): string[] {
  const span = { fromMs: minute(from), toMs: minute(to) };
  return ruleChanges(found, rule, span, isOpen).map(
    ({ kind, atMs }) => `${kind} ${(atMs - startMs) / minuteMs}`,
  );
}

describe("a rule", () => {
  it("opens once every value of the time was beyond the threshold, and resolves once they were back as long", () => {
    const found = values(0, ...times(5, 90), ...times(30, 110), ...times(30, 90));
    expect(changes(found)).toEqual(["opened 15", "resolved 45"]);
    const [opened] = ruleChanges(found, above, { fromMs: minute(-1), toMs: minute(600) }, false);
    expect(opened).toEqual({ kind: "opened", atMs: minute(15), beganMs: minute(5), value: 110 });
  });

  it("starts again after a value on the other side, which the threshold itself is", () => {
    expect(changes(values(0, ...times(9, 110), 100, ...times(9, 110), 90))).toEqual([]);
    expect(changes(values(0, ...times(9, 110), 100, ...times(10, 110)))).toEqual(["opened 20"]);
  });

  it("below a threshold is the opposite", () => {
    const below: Threshold = { comparison: "below", threshold: 100, minutes: 3 };
    expect(changes(values(0, 110, 90, 90, 90, 100, 100, 100), below)).toEqual(["opened 4", "resolved 7"]);
  });

  it("of a minute opens with the first value", () => {
    expect(changes(values(0, 90, 110, 90), { ...above, minutes: 1 })).toEqual(["opened 2", "resolved 3"]);
  });

  it("of a day resolves after ten minutes", () => {
    const day: Threshold = { ...above, minutes: 1440 };
    expect(changes(values(0, ...times(1500, 110), ...times(20, 90)), day, 2000)).toEqual([
      "opened 1440",
      "resolved 1510",
    ]);
  });
});

describe("a gap", () => {
  it("opens nothing: the time without values does not count", () => {
    const found = values(0, ...times(6, 110), ...times(60, null), ...times(6, 110));
    expect(changes(found)).toEqual([]);
    expect(changes([...found, ...values(72, ...times(4, 110))])).toEqual(["opened 76"]);
  });

  it("resolves nothing", () => {
    expect(changes(values(0, ...times(20, 110)), above, 6000)).toEqual(["opened 10"]);
    const found = values(0, ...times(20, 110), ...times(60, null), ...times(6, 90));
    expect(changes(found, above, 200)).toEqual(["opened 10"]);
    expect(changes([...found, ...values(86, ...times(4, 90))], above, 200)).toEqual([
      "opened 10",
      "resolved 90",
    ]);
  });

  it("is longer than the usual distance of values", () => {
    const every = (distance: number, count: number): MinuteValue[] =>
      Array.from({ length: count }, (_, index) => ({ atMs: minute(index * distance), value: 110 }));
    expect(changes(every(5, 4))).toEqual(["opened 11"]);
    expect(changes(every(60, 4))).toEqual(["opened 61"]);
  });
});

describe("the end of a span", () => {
  it("opens an alert for values that arrived late, or were there before the rule", () => {
    const found = values(0, ...times(20, 110));
    expect(changes(found, above, 30, false, 29)).toEqual(["opened 30"]);
    const [opened] = ruleChanges(found, above, { fromMs: minute(29), toMs: minute(30) }, false);
    expect(opened).toMatchObject({ beganMs: minute(0), value: 110 });
  });

  it("opens none for values that ended a while ago", () => {
    expect(changes(values(0, ...times(20, 110)), above, 120, false, 119)).toEqual([]);
  });

  it("resolves an alert whose values came back late", () => {
    const found = values(0, ...times(20, 110), ...times(12, 90));
    expect(changes(found, above, 120, true, 119)).toEqual(["resolved 120"]);
  });
});

const Series = fc
  .array(fc.record({ apart: fc.integer({ min: 1, max: 5 }), value: fc.integer({ min: 0, max: 200 }) }), {
    maxLength: 120,
  })
  .map((steps) => {
    let at = 0;
    return steps.map(({ apart, value }) => {
      at += apart;
      return { atMs: minute(at), value };
    });
  });
const Rule = fc.record({
  comparison: fc.constantFrom("above" as const, "below" as const),
  threshold: fc.integer({ min: 20, max: 180 }),
  minutes: fc.integer({ min: 1, max: 30 }),
});
const whole = { fromMs: startMs - dayMs, toMs: startMs + dayMs };

describe("of any values", () => {
  it("changes alternate, and an alert opens only if every value since its beginning is beyond, for long enough", () => {
    let openings = 0;
    fc.assert(
      fc.property(Series, Rule, (found, rule) => {
        const done = ruleChanges(found, rule, whole, false);
        expect(done.map(({ kind }) => kind)).toEqual(
          done.map((_, index) => (index % 2 === 0 ? "opened" : "resolved")),
        );
        for (const change of done) {
          if (change.kind !== "opened") continue;
          openings++;
          expect(change.atMs - change.beganMs).toBeGreaterThanOrEqual(rule.minutes * minuteMs);
          const within = found.filter(({ atMs }) => atMs >= change.beganMs && atMs < change.atMs);
          expect(within.length).toBeGreaterThan(0);
          for (const { value } of within) {
            expect(rule.comparison === "above" ? value > rule.threshold : value < rule.threshold).toBe(true);
          }
        }
      }),
      // Few of the rules open an alert.
      { numRuns: 400 },
    );
    expect(openings).toBeGreaterThan(20);
  });

  it("rounds of any length find what one evaluation finds", () => {
    fc.assert(
      fc.property(
        Series,
        Rule,
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }),
        (found, rule, lengths) => {
          const end = minute(700);
          const inOne = ruleChanges(found, rule, { fromMs: startMs, toMs: end }, false);
          const inRounds: RuleChange[] = [];
          let fromMs = startMs;
          for (let round = 0; fromMs < end; round++) {
            const toMs = Math.min(end, fromMs + lengths[round % lengths.length]! * minuteMs);
            const existing = found.filter(({ atMs }) => atMs + minuteMs <= toMs);
            const isOpen = inRounds.at(-1)?.kind === "opened";
            inRounds.push(...ruleChanges(existing, rule, { fromMs, toMs }, isOpen));
            fromMs = toMs;
          }
          expect(inRounds).toEqual(inOne);
        },
      ),
    );
  });

  it("a rule above a threshold is one below, mirrored", () => {
    fc.assert(
      fc.property(Series, Rule, (found, rule) => {
        const mirrored = found.map(({ atMs, value }) => ({ atMs, value: 200 - value }));
        const other = rule.comparison === "above" ? ("below" as const) : ("above" as const);
        const opposite = { ...rule, comparison: other, threshold: 200 - rule.threshold };
        const timesOf = (of: RuleChange[]) => of.map(({ kind, atMs }) => [kind, atMs]);
        expect(timesOf(ruleChanges(mirrored, opposite, whole, false))).toEqual(
          timesOf(ruleChanges(found, rule, whole, false)),
        );
      }),
    );
  });

  it("values far in the past open nothing", () => {
    fc.assert(
      fc.property(Series, Rule, (found, rule) => {
        const later = { fromMs: minute(600) + 6 * hourMs, toMs: minute(600) + 7 * hourMs };
        expect(ruleChanges(found, rule, later, false)).toEqual([]);
      }),
    );
  });
});
