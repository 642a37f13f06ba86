import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { Random } from "#random";
import type { Alert } from "./alert.ts";
import type { Row } from "./row.ts";
import type { Regression, Story } from "./story.ts";
import { watchStory } from "./watch-story.ts";

interface Counts {
  /** Alerts while nothing was worse. */
  readonly falseAlerts: number;
  /** For each regression found in time. */
  readonly minutes: readonly number[];
  /** The size in the first message minus the true one at that moment, as a share of the true one. */
  readonly sizeErrors: readonly number[];
  /** The size in the first message. */
  readonly sizes: readonly number[];
  /** Alerts about a regression, in time or late, that were resolved while it lasted. */
  readonly resolvedEarly: number;
}

/** The counts over all services and seeds of a row. */
export interface Measured extends Counts {
  readonly row: Row;
  readonly serviceMonths: number;
  /** Services whose regressions were all found in time. */
  readonly found: number;
  readonly services: number;
}

export function measure(row: Row, seeds: readonly number[], services = row.services): Measured {
  const all = seeds.flatMap((seed) =>
    Array.from({ length: services }, (_, service) => {
      const random = new Random(seed * 7_919 + service * 104_729 + 1);
      const story = row.make(random);
      return one(row, story, watchStory(story, random));
    }),
  );
  const sum = (of: (each: Outcome) => number) => all.reduce((total, each) => total + of(each), 0);
  return {
    row,
    services: all.length,
    falseAlerts: sum((each) => each.falseAlerts),
    serviceMonths: sum((each) => each.quietMs) / (30 * dayMs),
    found: all.filter((each) => each.isFound).length,
    minutes: all.flatMap((each) => each.minutes),
    sizeErrors: all.flatMap((each) => each.sizeErrors),
    sizes: all.flatMap((each) => each.sizes),
    resolvedEarly: sum((each) => each.resolvedEarly),
  };
}

/** The counts of one service. */
interface Outcome extends Counts {
  readonly quietMs: number;
  /** Whether its regressions were all found in time. */
  readonly isFound: boolean;
}

function one(row: Row, story: Story, alerts: readonly Alert[]): Outcome {
  const beganMs = Math.min(story.days * dayMs, ...story.regressions.map(({ atMs }) => atMs));
  const { learnsMs = 0 } = row;
  const falseAlerts = alerts.filter(
    (alert) => alert.atMs >= learnsMs && !isTrue(alert, story.regressions),
  ).length;
  const firsts = story.regressions.map((regression) => {
    const limitMs = regression.atMs + (row.withinHours ?? 24) * hourMs;
    const alert = alerts.find(
      (each) => each.signal === regression.signal && each.atMs > regression.atMs && each.atMs <= limitMs,
    );
    return alert === undefined ? undefined : { alert, regression };
  });
  const found = firsts.filter((each) => each !== undefined);
  const truth = ({ alert, regression }: (typeof found)[number]) =>
    regression.factor(alert.atMs - regression.atMs) - 1;
  return {
    falseAlerts,
    quietMs: beganMs - learnsMs,
    isFound: row.kind === "worse" && found.length === firsts.length,
    minutes: found.map(({ alert, regression }) => (alert.atMs - regression.atMs) / minuteMs),
    sizes: found.map(({ alert }) => alert.increase),
    sizeErrors: found.map((each) => each.alert.increase / truth(each) - 1),
    resolvedEarly: story.regressions.flatMap((regression) =>
      alerts.filter(
        (alert) => isTrue(alert, [regression]) && (alert.resolvedMs ?? Infinity) < regression.untilMs,
      ),
    ).length,
  };
}

function isTrue({ signal, atMs }: Alert, regressions: readonly Regression[]): boolean {
  return regressions.some(
    (each) => each.signal === signal && atMs > each.atMs && atMs <= each.untilMs + hourMs,
  );
}
