import type { ColumnReader } from "#store/column/query.ts";
import { dayOf, hourOf, hourSeconds } from "#store/column/utc.ts";
import { LruCache } from "#store/lru.ts";
import { binOf } from "./histogram.ts";
import {
  countsByHour,
  noFigures,
  type Profiles,
  profilesOfHours,
  readProfiles,
  type TotalsRange,
  type TotalsRow,
  toRows,
  totalsByHour,
} from "./profile-totals-queries.ts";

interface BegunRead {
  /** Rows of the open days, and of the hours that starts cut in parts, from the profiles. */
  finish(openDays: readonly string[], cutHours: readonly number[]): Promise<TotalsRow[]>;
}

interface Parts {
  readonly hours: ReadonlySet<number>;
  readonly rows: readonly TotalsRow[];
}

type Counts = ReadonlyMap<number, number>;

const rowsCachedMax = 60_000;
/** The shortest time between two reads of the rows of a day that is not over. */
const cachedMs = 30_000;

/**
 * Sums over profiles of days that are not over or not completely rolled up. Each hour is read from the roll-up if that
 * has as many profiles of the organization as the totals by minute, else from the profiles.
 */
export class OpenDays {
  readonly #reader: ColumnReader;
  readonly #cache = new LruCache<{ readonly rows: readonly TotalsRow[]; readonly sinceMs: number }>(
    rowsCachedMax,
  );
  /** Hours that the roll-up lacked at the last read of an organization: it probably still lacks most of them. */
  readonly #lacking = new LruCache<readonly number[]>(1000);

  constructor(reader: ColumnReader) {
    this.#reader = reader;
  }

  /** Reads the rows that today probably needs, before the open days are known. */
  async begin(range: TotalsRange): Promise<BegunRead> {
    const { orgId, service, starts, now } = range;
    const scope = `${orgId} ${service}`;
    const today = dayOf(now.getTime() / 1000);
    const cutHours = starts.map(hourOf).filter((hour) => !starts.includes(hour));
    const likely = [...(this.#lacking.get(scope) ?? []), hourOf(now.getTime() / 1000), ...cutHours];
    const [counted, rolled, parts] = await Promise.all([
      this.#countsOf(range, [today]),
      this.#rolledRows(range, today),
      this.#partsOf(range, new Set(likely)),
    ]);
    return {
      finish: async (openDays, cut) => {
        const others = openDays.filter((day) => day !== today);
        const counts = others.length === 0 ? counted : await this.#countsOf(range, openDays);
        const rest = await Promise.all(others.map((day) => this.#rolledRows(range, day)));
        const rows = [...rolled, ...rest.flat()];
        const lacking = hoursThatDiffer(rows, counts);
        this.#lacking.set(scope, lacking, 1);
        const wanted = new Set([...lacking, ...cut]);
        const missing = [...wanted].filter((hour) => !parts.hours.has(hour));
        const more = await this.#partsOf(range, new Set(missing));
        const read = [...parts.rows, ...more.rows].filter((row) => wanted.has(hourOf(row.startSeconds)));
        return [...rows.filter((row) => !wanted.has(row.startSeconds)), ...read];
      },
    };
  }

  /** Rows of one hour, from the profiles. */
  async readHour(range: TotalsRange, hour: number): Promise<readonly TotalsRow[]> {
    return (await this.#partsOf(range, new Set([hour]))).rows;
  }

  async #countsOf({ orgId, service }: TotalsRange, days: readonly string[]): Promise<Counts> {
    const hours = await this.#reader.query(countsByHour, { orgId, service, days: [...days] });
    return new Map(hours.map((row) => [row.hourSeconds, row.stored]));
  }

  async #rolledRows({ orgId, service }: TotalsRange, day: string): Promise<readonly TotalsRow[]> {
    const key = `${orgId} ${day} ${service}`;
    const nowMs = performance.now();
    const cached = this.#cache.get(key);
    if (cached !== undefined && nowMs - cached.sinceMs < cachedMs) return cached.rows;
    const hours = await this.#reader.query(totalsByHour, { orgId, service, days: [day] });
    const rows = hours.flatMap((hour) => toRows(hour, service));
    this.#cache.set(key, { rows, sinceMs: nowMs }, rows.length + 1);
    return rows;
  }

  async #partsOf(range: TotalsRange, hours: ReadonlySet<number>): Promise<Parts> {
    if (hours.size === 0) return { hours, rows: [] };
    const { orgId, service, starts } = range;
    const params = { orgId, service, hours: [...hours], days: [...new Set([...hours].map(dayOf))] };
    const profiles = readProfiles(await this.#reader.queryBytes(profilesOfHours, params));
    return { hours, rows: sumProfiles(profiles, cutsOf(starts)) };
  }
}

function hoursThatDiffer(rows: readonly TotalsRow[], counts: Counts): number[] {
  const rolled = new Map<number, number>();
  for (const { startSeconds, profiles } of rows) {
    rolled.set(startSeconds, (rolled.get(startSeconds) ?? 0) + profiles);
  }
  const hours = new Set([...counts.keys(), ...rolled.keys()]);
  return [...hours].filter((hour) => counts.get(hour) !== rolled.get(hour));
}

type Sums = { -readonly [K in keyof TotalsRow]: TotalsRow[K] } & { bins: number[]; binProfiles: number[] };

/** Rows of a range, by hour or part of an hour, from the profiles of its organization and service. */
export function totalsOf(groups: readonly Profiles[], { starts }: TotalsRange): TotalsRow[] {
  const first = Math.min(...starts);
  return sumProfiles(groups, cutsOf(starts)).filter(({ startSeconds }) => startSeconds >= first);
}

/** Where hours are cut in parts, ascending. */
function cutsOf(starts: readonly number[]): readonly number[] {
  return [0, ...starts.filter((start) => start % hourSeconds !== 0)].toSorted((a, b) => a - b);
}

/** Sums over profiles by service, type and part of an hour: the same figures as in the SQL of roll-up-chunks.ts. */
function sumProfiles(groups: readonly Profiles[], cuts: readonly number[]): TotalsRow[] {
  const startOf = (startedMs: number) => {
    const seconds = startedMs / 1000;
    return Math.max(hourOf(Math.floor(seconds)), cuts.findLast((cut) => cut <= seconds)!);
  };
  return groups.flatMap((group) => {
    const rows = new Map<number, Sums>();
    const figuresOf = readerOf(group);
    for (const [index, startedMs] of group.startedMs.entries()) {
      const startSeconds = startOf(startedMs);
      const sums = rows.get(startSeconds) ?? emptySums(group.service, group.type, startSeconds);
      rows.set(startSeconds, sums);
      sums.profiles++;
      sums.earliestMs = Math.min(sums.earliestMs, startedMs);
      sums.latestMs = Math.max(sums.latestMs, startedMs);
      add(sums, figuresOf(index));
    }
    return [...rows.values()];
  });
}

interface Figures {
  readonly samples: number;
  readonly durationMs: number;
  readonly amount: number;
  readonly weight: number;
  readonly allocated: number;
}

function readerOf(group: Profiles): (index: number) => Figures {
  const place = (sampleType: string) => group.sampleTypes.indexOf(sampleType);
  const [samples, cpu, inUse, allocated] = [
    place("samples/count"),
    place("cpu/nanoseconds"),
    place("inuse_space/bytes"),
    place("alloc_space/bytes"),
  ] as [number, number, number, number];
  const isCpu = group.type === "cpu" && cpu !== -1;
  const isMemory = group.type === "memory";
  return (index) => {
    const delta = (at: number) => group.deltas[index * group.sampleTypes.length + at]!;
    const durationNs = group.durationNs[index]!;
    const hasInUse = isMemory && inUse !== -1;
    return {
      samples: samples === -1 ? group.sampleCounts[index]! : delta(samples),
      durationMs: durationNs / 1e6,
      amount: isCpu ? 100 * delta(cpu) : hasInUse ? delta(inUse) : 0,
      weight: isCpu ? durationNs : hasInUse ? 1 : 0,
      allocated: isMemory && allocated !== -1 ? Math.max(0, delta(allocated)) : 0,
    };
  };
}

function add(sums: Sums, { samples, durationMs, amount, weight, allocated }: Figures): void {
  sums.samples += samples;
  sums.durationMs += durationMs;
  if (weight > 0) {
    sums.peak = sums.weight > 0 ? Math.max(sums.peak, amount / weight) : amount / weight;
    sums.amount += amount;
    sums.weight += weight;
  }
  if (allocated > 0) {
    sums.allocations++;
    sums.allocated += allocated;
    sums.peakAllocated = Math.max(sums.peakAllocated, allocated);
  }
  const isSpread = sums.type === "cpu" ? weight > 0 : allocated > 0;
  if (isSpread) {
    sums.bins.push(binOf(sums.type === "cpu" ? amount / weight : allocated));
    sums.binProfiles.push(1);
  }
}

function emptySums(service: string, type: string, startSeconds: number): Sums {
  return {
    service,
    type,
    startSeconds,
    profiles: 0,
    earliestMs: Number.POSITIVE_INFINITY,
    latestMs: Number.NEGATIVE_INFINITY,
    ...noFigures,
    bins: [],
    binProfiles: [],
  };
}
