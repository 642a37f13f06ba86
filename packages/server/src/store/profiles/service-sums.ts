import { type GraphType, profileTypeEntry, storedTypeOf } from "@flamekeep/contract";
import { z } from "zod";
import { RowBinaryReader } from "#store/column/client/row-binary.ts";
import { bytesQuery, type ColumnReader } from "#store/column/query.ts";
import { dayOf, hourOf, hourSeconds } from "#store/column/utc.ts";
import { Day } from "#store/column/values.ts";

interface SumsRange {
  readonly orgId: string;
  readonly type: GraphType;
  /** Starts of minutes as Unix seconds, ascending: the range begins at the first one, ends before the last one, and is cut at the others. */
  readonly cuts: readonly number[];
  readonly now: Date;
  /** All if there are none. */
  readonly services?: readonly string[];
}

/** Sums over the profiles of a type of a service, for each part of the range. */
export interface ServiceSums {
  readonly service: string;
  /** The first one that measures the type. */
  readonly sampleType: string;
  readonly totals: readonly number[];
  readonly profiles: readonly number[];
  readonly durationsNs: readonly number[];
}

/** The sums of each service that has such profiles in the range. The hours that are over stay cached while the range moves with the clock. */
export async function sumsOfServices(
  columns: ColumnReader,
  { orgId, type, cuts, now, services = [] }: SumsRange,
): Promise<readonly ServiceSums[]> {
  const sampleTypes: readonly string[] = profileTypeEntry(type).measuredBy;
  const scope = { orgId, type: storedTypeOf(type), sampleTypes: [...sampleTypes], services: [...services] };
  const parts = partsOf(cuts, Math.floor(now.getTime() / 1000));
  const read = await Promise.all(
    parts.map(async (part) => columnsOf(await columns.queryBytes(sumsByService, { ...scope, ...part }))),
  );
  const found = read.filter((each) => each.services.length > 0);
  const [only] = found;
  const before = only !== undefined && found.length === 1 ? addedOnce.get(only) : undefined;
  if (before !== undefined) return before;
  const sums = new Map<string, Ranked>();
  for (const each of found) addTo(sums, each, cuts.length - 1);
  const all = [...sums].map(([service, { rank, totals, profiles, durationsNs }]) => {
    return { service, sampleType: sampleTypes[rank - 1]!, totals, profiles, durationsNs };
  });
  if (only !== undefined && found.length === 1) addedOnce.set(only, all);
  return all;
}

/** While nothing was sent in the hours around the cuts, the hours that are over are all that there is. */
const addedOnce = new WeakMap<SumColumns, readonly ServiceSums[]>();

/** Cores, of one instance; null without CPU profiles that say how long they lasted. */
export function coresOf({ totals, durationsNs }: ServiceSums, part: number): number | null {
  return durationsNs[part] === 0 ? null : totals[part]! / durationsNs[part]!;
}

type ReadPart = Pick<
  z.output<typeof sumsByService.params>,
  "fromSeconds" | "toSeconds" | "inner" | "hours" | "isWithin" | "days"
>;

/** Fewer hours are read together with the rest. */
const wholeHoursMin = 2;

/** The whole hours that are over, without those in which the range is cut, and the rest. */
function partsOf(cuts: readonly number[], nowSeconds: number): ReadPart[] {
  const [fromSeconds, toSeconds] = [cuts[0]!, cuts.at(-1)!];
  const inner = cuts.slice(1, -1);
  const first = nextHour(fromSeconds);
  const end = Math.min(hourOf(toSeconds), hourOf(nowSeconds));
  const all = { fromSeconds, toSeconds, inner, hours: [], isWithin: false, days: [] };
  if (end - first < wholeHoursMin * hourSeconds) return [all];
  const cutHours = inner.filter((cut) => cut % hourSeconds !== 0).map(hourOf);
  const whole = { ...all, fromSeconds: first, toSeconds: end, inner: inner.map(nextHour), hours: cutHours };
  const ended = Array.from(
    { length: (nextHour(toSeconds) - end) / hourSeconds },
    (_, at) => end + at * hourSeconds,
  );
  const hours = [...(fromSeconds < first ? [hourOf(fromSeconds)] : []), ...cutHours, ...ended];
  if (hours.length === 0) return [whole];
  return [whole, { ...all, hours, isWithin: true, days: [...new Set(hours.map(dayOf))] }];
}

/** The start of the hour, or of the next one. */
function nextHour(seconds: number): number {
  return hourOf(seconds + hourSeconds - 1);
}

interface Ranked {
  rank: number;
  totals: number[];
  profiles: number[];
  durationsNs: number[];
}

function addTo(sums: Map<string, Ranked>, read: SumColumns, parts: number): void {
  for (const [at, service] of read.services.entries()) {
    const rank = read.ranks[at]!;
    let sum = sums.get(service);
    if (sum === undefined || sum.rank > rank) {
      const zeros = () => new Array<number>(parts).fill(0);
      sum = { rank, totals: zeros(), profiles: zeros(), durationsNs: zeros() };
      sums.set(service, sum);
    }
    if (sum.rank < rank) continue;
    const part = read.parts[at]!;
    sum.totals[part]! += read.totals[at]!;
    sum.profiles[part]! += read.profiles[at]!;
    sum.durationsNs[part]! += read.durationsNs[at]!;
  }
}

interface SumColumns {
  readonly services: readonly string[];
  readonly ranks: Float64Array;
  readonly parts: Float64Array;
  readonly totals: Float64Array;
  readonly profiles: Float64Array;
  readonly durationsNs: Float64Array;
}

/** A cached result is the same buffer. */
const decoded = new WeakMap<Buffer, SumColumns>();

function columnsOf(bytes: Buffer): SumColumns {
  const found = decoded.get(bytes);
  if (found !== undefined) return found;
  const reader = new RowBinaryReader(bytes);
  const columns = {
    services: reader.texts(),
    ranks: reader.float64s(),
    parts: reader.float64s(),
    totals: reader.float64s(),
    profiles: reader.float64s(),
    durationsNs: reader.float64s(),
  };
  decoded.set(bytes, columns);
  return columns;
}

/** One row of columns, because there may be thousands of services. */
const sumsByService = bytesQuery({
  name: "service-sums",
  isCacheable: true,
  sql: `SELECT groupArray(toString(service)), groupArray(toFloat64(rank)), groupArray(toFloat64(part)),
          groupArray(total), groupArray(counted), groupArray(lasted)
        FROM (
          SELECT service, indexOf({sampleTypes:Array(String)}, toString(sample_type)) AS rank,
            arrayCount(cut -> cut <= toUnixTimestamp(minute), {inner:Array(UInt32)}) AS part,
            toFloat64(sum(value)) AS total, toFloat64(sum(profiles)) AS counted, toFloat64(sum(duration_ns)) AS lasted
          FROM type_totals_1m
          WHERE org_id = {orgId:UUID} AND type = {type:String} AND sample_type IN {sampleTypes:Array(String)}
            AND (empty({services:Array(String)}) OR service IN {services:Array(String)})
            AND minute >= toDateTime({fromSeconds:UInt32}, 'UTC') AND minute < toDateTime({toSeconds:UInt32}, 'UTC')
            AND (empty({days:Array(Date)}) OR toDate(minute) IN {days:Array(Date)})
            AND (toUnixTimestamp(toStartOfHour(minute)) IN {hours:Array(UInt32)}) = {isWithin:Bool}
          GROUP BY service, rank, part
        )`,
  params: z.object({
    orgId: z.uuid(),
    type: z.string(),
    sampleTypes: z.array(z.string()),
    services: z.array(z.string()),
    fromSeconds: z.int(),
    toSeconds: z.int(),
    /** Each begins another part. */
    inner: z.array(z.int()),
    /** Read alone, or left out. */
    hours: z.array(z.int()),
    isWithin: z.boolean(),
    /** All if there are none. */
    days: z.array(Day),
  }),
});
