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
  /** Without figures the read costs half as much, and rows of parts of an hour only count. */
  readonly withFigures: boolean;
}

/** Sums over the profiles of a service and type that began within a day, an hour or a part of one. */
export interface TotalsRow {
  readonly service: string;
  readonly type: string;
  /** Start of the day, the hour or the part, in Unix seconds. */
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

/** Parallel arrays with an entry per service and type: thousands of JSON objects would take longer to read. */
const PackedTotals = z.object({
  startSeconds: z.int(),
  services: z.array(z.string()),
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

const counts = `groupArray(service) AS services, groupArray(type) AS types,
  tuple(groupArray(toFloat64(profiles)), groupArray(toFloat64(toUnixTimestamp64Milli(earliest))),
    groupArray(toFloat64(toUnixTimestamp64Milli(latest)))`;

const packed = `${counts}, groupArray(toFloat64(samples)), groupArray(duration_ms),
    groupArray(amount), groupArray(weight), groupArray(peak), groupArray(toFloat64(allocations)),
    groupArray(allocated), groupArray(peak_allocated)) AS figures,
  groupArray(bins) AS bins, groupArray(arrayMap(count -> toFloat64(count), bin_profiles)) AS binProfiles`;

/** The other figures are missing: they are most of the bytes of a row. */
const packedCounts = `${counts}, ${Array.from({ length: 8 }, () => "emptyArrayFloat64()").join(", ")}) AS figures,
  emptyArrayFloat64() AS bins, emptyArrayFloat64() AS binProfiles`;

export function toRows({
  startSeconds,
  services,
  types,
  figures: columns,
  bins,
  binProfiles,
}: PackedTotals): TotalsRow[] {
  return services.map((service, index) => {
    const at = (column: number) => columns[column]![index] ?? 0;
    return {
      service,
      type: types[index]!,
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

export const countsByHour = query({
  name: "profile-totals.hours",
  sql: `SELECT toUnixTimestamp(toStartOfHour(minute)) AS hourSeconds, sum(profiles) AS profiles
        FROM type_totals_1m
        WHERE ${ofService} AND sample_type = '' AND toDate(minute) IN {days:Array(Date)}
        GROUP BY hourSeconds`,
  params: OfDays,
  row: z.object({ hourSeconds: z.int(), profiles: Count }),
});

export const totalsByHour = query({
  name: "profile-totals.by-hour",
  sql: hoursOf(packed),
  params: OfDays,
  row: PackedTotals,
});

export const countsOfRolledHours = query({
  name: "profile-totals.counts-by-hour",
  sql: hoursOf(packedCounts),
  params: OfDays,
  row: PackedTotals,
});

function hoursOf(columns: string): string {
  return `SELECT toUnixTimestamp(hour) AS startSeconds, ${columns}
        FROM profile_totals_1h
        WHERE ${ofService} AND toDate(hour) IN {days:Array(Date)}
        GROUP BY startSeconds`;
}

export const totalsByDay = query({
  name: "profile-totals.by-day",
  sql: `SELECT toUnixTimestamp(toDateTime(day, 'UTC')) AS startSeconds, ${packed}
        FROM (
          SELECT toDate(hour) AS day, service, type, sum(hours.profiles) AS profiles, min(hours.earliest) AS earliest,
            max(hours.latest) AS latest, sum(hours.samples) AS samples, sum(hours.duration_ms) AS duration_ms,
            sum(hours.amount) AS amount, sum(hours.weight) AS weight, max(hours.peak) AS peak,
            sum(hours.allocations) AS allocations, sum(hours.allocated) AS allocated,
            max(hours.peak_allocated) AS peak_allocated,
            sumMap(hours.bins, hours.bin_profiles) AS histogram, histogram.1 AS bins, histogram.2 AS bin_profiles
          FROM profile_totals_1h AS hours
          WHERE ${ofService} AND toDate(hour) IN {days:Array(Date)}
          GROUP BY day, service, type
        )
        GROUP BY startSeconds`,
  params: OfDays,
  row: PackedTotals,
});

const OfHours = OfDays.extend({
  /** Unix seconds. */
  hours: z.array(z.int()),
});

const ofHours = `${ofService}
          AND toDate(started_at) IN {days:Array(Date)}
          AND toUnixTimestamp(toStartOfHour(started_at)) IN {hours:Array(UInt32)}`;

/** Only counts, with a row per hour or part of an hour. Parts begin at the cuts, which are ascending. */
export const countsOfHours = query({
  name: "profile-totals.counts-of-hours",
  sql: `SELECT service, type, greatest(toUnixTimestamp(toStartOfHour(started_at)),
            arrayLast(cut -> cut <= toUnixTimestamp(started_at), {cuts:Array(UInt32)})) AS startSeconds,
          count() AS profiles, toFloat64(toUnixTimestamp64Milli(min(started_at))) AS earliestMs,
          toFloat64(toUnixTimestamp64Milli(max(started_at))) AS latestMs
        FROM profiles
        WHERE ${ofHours}
        GROUP BY service, type, startSeconds`,
  params: OfHours.extend({ cuts: z.array(z.int()) }),
  row: z.object({
    service: z.string(),
    type: z.string(),
    startSeconds: z.int(),
    profiles: Count,
    earliestMs: z.number(),
    latestMs: z.number(),
  }),
});

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
