import { hourMs } from "@flamekeep/contract/durations";
import { meanOf, type Span } from "#alerts/detect/series/series.ts";
import type { ObservedSeries } from "#alerts/detect/watched/observed.ts";
import type { Context } from "#context";
import { queryOne } from "#store/column/query.ts";
import { readRolledHours } from "#store/column/read/stack-totals.ts";
import {
  closures,
  type Figure,
  figures,
  type HourlyFunction,
  hourlyFunctions,
  summedFunctions,
  toSums,
} from "./function-figures.ts";
import { functionsMax, heldHours, isSuspect } from "./function-shift.ts";
import { functionHours, functionSums, stackCount, wholeHours } from "./queries.ts";

/** The quick look sums these many comparable spans that do not overlap, the newest ones. */
const spansMax = 12;
/** Functions that are looked at closely. Where more rise, the service has become another one. */
const suspectsMax = 40;
/** A function can have a row for each of its builds. */
const functionRowsMax = 3 * functionsMax;
/** Stacks whose functions are read, those with the largest values: the time of a look grows with them. */
const stacksMax = 5000;
/** Rows of the roll-up that a query reads, each the value of a stack in an hour. A service with many stacks is judged by fewer hours. */
const rowsMax = 2_000_000;
/** A day and more: `hasFallen` and `comparableEnds` need 27 hours. */
const hoursMin = 30;

/** The largest value of one sample, by unit: every stack may have many, so that the smallest stack says little. */
const sampleMax: Readonly<Record<string, number>> = { nanoseconds: 50e6, bytes: 2 ** 20, count: 1 };

function sampleOf(sampleType: string, smallestStack: number): number {
  return Math.min(
    smallestStack,
    sampleMax[sampleType.slice(sampleType.lastIndexOf("/") + 1)] ?? smallestStack,
  );
}

/** The hours of a series that are rolled up. */
export interface SeriesHours {
  readonly series: {
    readonly orgId: string;
    readonly service: string;
    readonly type: string;
    readonly sampleType: string;
  };
  readonly firstMs: number;
  /** The mean of the series by hour; NaN of hours without profiles. */
  readonly level: Float64Array;
  /** Unix seconds, with the version in the roll-up. */
  readonly versions: ReadonlyMap<number, bigint>;
}

export async function seriesHours(
  ctx: Context,
  orgId: string,
  { service, type, sampleType, observed }: ObservedSeries,
  { fromMs, toMs }: Span,
): Promise<SeriesHours> {
  const series = { orgId, service, type, sampleType };
  const rolled = await readRolledHours(ctx.columns, {
    ...series,
    from: new Date(fromMs),
    to: new Date(toMs),
  });
  const versions = new Map(rolled.map(({ hourSeconds, latest }) => [hourSeconds, latest]));
  const level = Float64Array.from({ length: Math.max(0, (toMs - fromMs) / hourMs) }, (_, index) => {
    const startMs = fromMs + index * hourMs;
    const { count, mean } = meanOf(observed.values, { fromMs: startMs, toMs: startMs + hourMs });
    return count > 0 && versions.has(startMs / 1000) ? mean : Number.NaN;
  });
  return { series, firstMs: fromMs, level, versions };
}

/** The parameters of the queries for these hours, by index. */
function paramsOf({ series, firstMs, versions }: SeriesHours, indexes: Iterable<number>) {
  const hours = [...new Set(indexes)].map((index) => (firstMs + index * hourMs) / 1000);
  return { ...series, hours, versions: hours.map((hour) => versions.get(hour)!) };
}

const ofFunctions = { closures, stacks: stacksMax };

/** How many hours are read of a series with so many stacks in an hour. */
export function hoursMax(stacks: number): number {
  return Math.max(hoursMin, Math.floor(rowsMax / Math.max(1, stacks)));
}

/** The hours of spans with these ends. */
function hoursOf(ends: readonly number[]): number[] {
  return ends.flatMap((end) => Array.from({ length: heldHours }, (_, ago) => end - ago));
}

/** Ends of spans that do not overlap, the newest first. */
function apart(ends: readonly number[]): number[] {
  const chosen: number[] = [];
  for (const end of ends.toReversed()) if (end <= (chosen.at(-1) ?? Infinity) - heldHours) chosen.push(end);
  return chosen;
}

export interface Suspect {
  readonly key: string;
  readonly name: string;
  readonly figure: Figure;
}

/** The functions that seem to have risen since the comparable spans, those with the largest values first. */
export async function suspectsOf(
  ctx: Context,
  hours: SeriesHours,
  ends: readonly number[],
): Promise<Suspect[]> {
  const newest = hoursOf([hours.level.length - 1]).sort((a, b) => a - b);
  const params = paramsOf(hours, [...newest, ...hoursOf(apart(ends).slice(0, spansMax))]);
  const rows = await ctx.columns.query(functionSums, {
    ...params,
    ...ofFunctions,
    newest: newest.map((index) => (hours.firstMs + index * hourMs) / 1000),
    limit: functionRowsMax,
  });
  const [first] = rows;
  if (first === undefined) return [];
  const whole = toSums(first.whole);
  const sample = sampleOf(params.sampleType, first.smallest);
  return summedFunctions(rows)
    .slice(0, functionsMax)
    .flatMap((each) =>
      figures
        .filter((figure) => isSuspect(each[figure], whole, sample))
        .map((figure) => ({ key: each.key, name: each.name, figure })),
    )
    .slice(0, suspectsMax);
}

export interface Figures {
  readonly functions: readonly HourlyFunction[];
  /** The sums over all stacks, by hour. */
  readonly totals: Float64Array;
  /** About the value of one sample. */
  readonly sample: number;
}

/** The figures of named functions, in the newest hours if there are too many rows. */
export async function figuresOf(
  ctx: Context,
  hours: SeriesHours,
  names: readonly string[],
): Promise<Figures> {
  const { level, firstMs } = hours;
  const totals = new Float64Array(level.length);
  const known = [...level.keys()].filter((index) => !Number.isNaN(level[index]));
  const newest = known.at(-1);
  if (newest === undefined) return { functions: [], totals, sample: 0 };
  // Other hours have about as many.
  const { stacks } = await queryOne(ctx.columns, stackCount, paramsOf(hours, [newest]));
  const params = paramsOf(hours, known.slice(-hoursMax(stacks)));
  const [rows, whole] = await Promise.all([
    ctx.columns.query(functionHours, { ...params, ...ofFunctions, names: [...new Set(names)] }),
    ctx.columns.query(wholeHours, params),
  ]);
  const indexOf = (hour: number) => (hour * 1000 - firstMs) / hourMs;
  for (const { at, total } of whole) totals[indexOf(at)] = total;
  return {
    functions: hourlyFunctions(rows, { length: level.length, indexOf }),
    totals,
    sample: sampleOf(params.sampleType, Math.min(...whole.map(({ smallest }) => smallest))),
  };
}
