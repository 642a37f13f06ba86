import { z } from "zod";
import { RowBinaryReader } from "#store/column/client/row-binary.ts";
import { bytesQuery, maintenanceQuery, query } from "#store/column/query.ts";
import { Count, Day } from "#store/column/values.ts";

/** A range of one organization. An empty `service` means all. */
export interface TotalsRange {
  readonly orgId: string;
  readonly service: string;
  /** Starts of minutes as Unix seconds: rows begin at the first one, and no row crosses one. */
  readonly starts: readonly number[];
  readonly now: Date;
  /** Rows with figures are of all services together, unless the range has one service, and so are those of types, which only count. */
  readonly detail: "figures" | "services" | "types";
}

/** Sums over the profiles of a type that began within a part of the range. */
export interface TotalsRow {
  /** Empty in rows of all services together, except for profiles that wait to be inserted. */
  readonly service: string;
  readonly type: string;
  /** In Unix seconds; the rest of the part is before the next start of the range. */
  readonly startSeconds: number;
  readonly profiles: number;
  /** Unix milliseconds. */
  readonly earliestMs: number;
  readonly latestMs: number;
  readonly samples: number;
  readonly durationMs: number;
  /** The figure of a profile is amount / weight: CPU percent, or heap in use. Without weight there is no figure. */
  readonly amount: number;
  readonly weight: number;
  readonly peak: number;
  /** Profiles that allocated since their predecessor, and the bytes. */
  readonly allocations: number;
  readonly allocated: number;
  readonly peakAllocated: number;
  /** Histogram of CPU percent or of allocated bytes; see histogram.ts. */
  readonly bins: readonly number[];
  readonly binProfiles: readonly number[];
}

const Numbers = z.array(z.number());
const Lists = z.array(Numbers);

/** Parallel arrays with an entry per type. */
const PackedTotals = z.object({
  startSeconds: z.int(),
  types: z.array(z.string()),
  /** In the order of `toRows`. */
  figures: z.tuple([
    Numbers,
    Numbers,
    Numbers,
    Numbers,
    Numbers,
    Numbers,
    Numbers,
    Numbers,
    Numbers,
    Numbers,
    Numbers,
  ]),
  bins: Lists,
  binProfiles: Lists,
});
type PackedTotals = z.output<typeof PackedTotals>;

const packed = `groupArray(type) AS types,
  tuple(groupArray(toFloat64(profiles)), groupArray(toFloat64(toUnixTimestamp64Milli(earliest))),
    groupArray(toFloat64(toUnixTimestamp64Milli(latest))), groupArray(toFloat64(samples)), groupArray(duration_ms),
    groupArray(amount), groupArray(weight), groupArray(peak), groupArray(toFloat64(allocations)),
    groupArray(allocated), groupArray(peak_allocated)) AS figures,
  groupArray(bins) AS bins, groupArray(arrayMap(count -> toFloat64(count), bin_profiles)) AS binProfiles`;

/** @param service of the range */
export function toRows(
  { startSeconds, types, figures: columns, bins, binProfiles }: PackedTotals,
  service: string,
): TotalsRow[] {
  return types.map((type, index) => {
    const at = (column: number) => columns[column]![index] ?? 0;
    return {
      service,
      type,
      startSeconds,
      profiles: at(0),
      earliestMs: at(1),
      latestMs: at(2),
      samples: at(3),
      durationMs: at(4),
      amount: at(5),
      weight: at(6),
      peak: at(7),
      allocations: at(8),
      allocated: at(9),
      peakAllocated: at(10),
      bins: bins[index] ?? [],
      binProfiles: binProfiles[index] ?? [],
    };
  });
}

const DayCount = z.object({ day: Day, profiles: Count });

/** Profiles of all organizations. ClickHouse answers it from the metadata of the parts, without reading rows. */
export const storedByDay = maintenanceQuery({
  name: "profile-totals.stored",
  sql: `SELECT toDate(started_at) AS day, count() AS profiles
        FROM profiles WHERE toDate(started_at) >= {first:Date} GROUP BY day`,
  params: z.object({ first: Day }),
  row: DayCount,
});

/** Profiles of all organizations that the roll-up has counted. */
export const rolledByDay = maintenanceQuery({
  name: "profile-totals.rolled",
  sql: `SELECT toDate(hour) AS day, sum(profiles) AS profiles
        FROM profile_totals_1h WHERE toDate(hour) IN {days:Array(Date)} GROUP BY day`,
  params: z.object({ days: z.array(Day) }),
  row: DayCount,
});

const OfDays = z.object({
  orgId: z.uuid(),
  /** Empty for all. */
  service: z.string(),
  days: z.array(Day),
});

const ofService = "org_id = {orgId:UUID} AND ({service:String} = '' OR service = {service:String})";

const Counts = z.object({
  /** Unix seconds, ascending: rows are sums from one to the next. */
  cuts: z.array(z.int()),
  detail: z.enum(["services", "types"]),
});

/** An organization of thousands of services has a handful of types. */
const named = "if({detail:String} = 'types', toLowCardinality(''), service) AS name";

const counted = `groupArray(toString(name)), groupArray(toString(type)), groupArray(toFloat64(part)),
          groupArray(toFloat64(counted)), groupArray(toFloat64(first_ms)), groupArray(toFloat64(last_ms))`;

/** Profiles by service, or of all services together, type and cut, from the roll-up: of all hours of days, or of some. Columns, because there may be thousands of rows. */
export const countsOfRolledHours = bytesQuery({
  name: "profile-totals.counts-of-rolled-hours",
  sql: `SELECT ${counted}
        FROM (
          SELECT ${named}, type, arrayLast(cut -> cut <= toUnixTimestamp(hour), {cuts:Array(UInt32)}) AS part,
            sum(profiles) AS counted, toUnixTimestamp64Milli(min(earliest)) AS first_ms,
            toUnixTimestamp64Milli(max(latest)) AS last_ms
          FROM profile_totals_1h
          WHERE ${ofService} AND toDate(hour) IN {days:Array(Date)}
            AND (empty({hours:Array(UInt32)}) OR toUnixTimestamp(hour) IN {hours:Array(UInt32)})
          GROUP BY name, type, part
        )`,
  params: OfDays.extend({ ...Counts.shape, hours: z.array(z.int()) }),
});

/** Hours with profiles, by what is stored and what the roll-up has counted of them. */
export const countsByHour = query({
  name: "profile-totals.hours",
  isCacheable: true,
  sql: `SELECT hourSeconds, sum(counted) AS stored, sum(summed) AS rolled
        FROM (
          SELECT toUnixTimestamp(toStartOfHour(minute)) AS hourSeconds, sum(profiles) AS counted, 0 AS summed
          FROM type_totals_1m
          WHERE ${ofService} AND sample_type = '' AND toDate(minute) IN {days:Array(Date)}
          GROUP BY hourSeconds
          UNION ALL
          SELECT toUnixTimestamp(hour) AS hourSeconds, 0 AS counted, sum(profiles) AS summed
          FROM profile_totals_1h
          WHERE ${ofService} AND toDate(hour) IN {days:Array(Date)}
          GROUP BY hourSeconds
        )
        GROUP BY hourSeconds`,
  params: OfDays,
  row: z.object({ hourSeconds: z.int(), stored: Count, rolled: Count }),
});

export const totalsByHour = query({
  name: "profile-totals.by-hour",
  sql: totalsBy("toUnixTimestamp(hours.hour)"),
  params: OfDays,
  row: PackedTotals,
});

export const totalsByDay = query({
  name: "profile-totals.by-day",
  sql: totalsBy("toUnixTimestamp(toDateTime(toDate(hours.hour), 'UTC'))"),
  params: OfDays,
  row: PackedTotals,
});

function totalsBy(start: string): string {
  return `SELECT startSeconds, ${packed}
        FROM (
          SELECT ${start} AS startSeconds, type, sum(hours.profiles) AS profiles, min(hours.earliest) AS earliest,
            max(hours.latest) AS latest, sum(hours.samples) AS samples, sum(hours.duration_ms) AS duration_ms,
            sum(hours.amount) AS amount, sum(hours.weight) AS weight, max(hours.peak) AS peak,
            sum(hours.allocations) AS allocations, sum(hours.allocated) AS allocated,
            max(hours.peak_allocated) AS peak_allocated,
            sumMap(hours.bins, hours.bin_profiles) AS histogram, histogram.1 AS bins, histogram.2 AS bin_profiles
          FROM profile_totals_1h AS hours
          WHERE ${ofService} AND toDate(hour) IN {days:Array(Date)}
          GROUP BY startSeconds, type
        )
        GROUP BY startSeconds`;
}

const OfHours = OfDays.extend({
  /** Unix seconds. */
  hours: z.array(z.int()),
});

const ofHours = `${ofService}
          AND toDate(started_at) IN {days:Array(Date)}
          AND toUnixTimestamp(toStartOfHour(started_at)) IN {hours:Array(UInt32)}`;

/** As `countsOfRolledHours`, from the profiles of hours. */
export const countsOfHours = bytesQuery({
  name: "profile-totals.counts-of-hours",
  sql: `SELECT ${counted}
        FROM (
          SELECT ${named}, type, arrayLast(cut -> cut <= toUnixTimestamp(started_at), {cuts:Array(UInt32)}) AS part,
            count() AS counted, toUnixTimestamp64Milli(min(started_at)) AS first_ms,
            toUnixTimestamp64Milli(max(started_at)) AS last_ms
          FROM profiles
          WHERE ${ofHours}
          GROUP BY name, type, part
        )`,
  params: OfHours.extend(Counts.shape),
});

/** The rows of either query, which has at most one row of columns. */
export function readCounts(bytes: Buffer): TotalsRow[] {
  const reader = new RowBinaryReader(bytes);
  if (reader.isAtEnd) return [];
  const [services, types] = [reader.texts(), reader.texts()];
  const [starts, profiles, earliest, latest] = [
    reader.float64s(),
    reader.float64s(),
    reader.float64s(),
    reader.float64s(),
  ];
  return services.map((service, at) => ({
    ...noFigures,
    service,
    type: types[at]!,
    startSeconds: starts[at]!,
    profiles: profiles[at]!,
    earliestMs: earliest[at]!,
    latestMs: latest[at]!,
  }));
}

/** Figures of rows that only count profiles. */
export const noFigures = {
  samples: 0,
  durationMs: 0,
  amount: 0,
  weight: 0,
  peak: 0,
  allocations: 0,
  allocated: 0,
  peakAllocated: 0,
  bins: [],
  binProfiles: [],
} as const;

/** Profiles of a service and type with the same sample types: parallel arrays with an entry per profile. */
export interface Profiles {
  readonly service: string;
  readonly type: string;
  readonly sampleTypes: readonly string[];
  readonly startedMs: Float64Array;
  readonly durationNs: Float64Array;
  readonly sampleCounts: Float64Array;
  /** For each profile one value per sample type. */
  readonly deltas: Float64Array;
}

// Planning the roll-up's sums takes the engine longer than reading an hour; parsing JSON would take the server longer.
export const profilesOfHours = bytesQuery({
  name: "profile-totals.profiles-of-hours",
  sql: `SELECT toString(service), toString(type), arrayMap(name -> toString(name), sample_types),
          groupArray(toFloat64(toUnixTimestamp64Milli(started_at))), groupArray(toFloat64(duration_ns)),
          groupArray(toFloat64(sample_count)), groupArrayArray(arrayMap(total -> toFloat64(total), deltas_totals))
        FROM profiles
        WHERE ${ofHours}
        GROUP BY service, type, sample_types`,
  params: OfHours,
});

export function readProfiles(bytes: Buffer): Profiles[] {
  const reader = new RowBinaryReader(bytes);
  const groups: Profiles[] = [];
  while (!reader.isAtEnd) {
    groups.push({
      service: reader.text(),
      type: reader.text(),
      sampleTypes: reader.texts(),
      startedMs: reader.float64s(),
      durationNs: reader.float64s(),
      sampleCounts: reader.float64s(),
      deltas: reader.float64s(),
    });
  }
  return groups;
}
