import { binOf } from "./histogram.ts";
import type { Profiles, TotalsRow } from "./profile-totals-queries.ts";

type Sums = { -readonly [K in keyof TotalsRow]: TotalsRow[K] } & { bins: number[]; binProfiles: number[] };

/** Sums over profiles by service, type and part of an hour: the same figures as in the SQL of roll-up-profiles.ts. */
export function sumProfiles(
  groups: readonly Profiles[],
  startOf: (startedMs: number) => number,
): TotalsRow[] {
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
    ...noFigures(),
  };
}

/** Figures of rows that only count profiles. */
export function noFigures() {
  return {
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
  };
}
