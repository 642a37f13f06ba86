/**
 * Finds the process from which a snapshot of cumulative counters comes, and its growth since the stored snapshot. The rules and their reasons are
 * in docs/decisions/0004-cumulative-profiles-become-deltas.md.
 */
import { dayMs } from "@flamekeep/contract/durations";
import { type Counters, canFollow, growthOf, totalsOf } from "#ingest/rows/counters.ts";

/** A moment of a process: its counters' totals. */
interface Moment {
  readonly atMs: number;
  readonly totals: readonly bigint[];
}

/** How fast the counters of a process grew: between `first` and `last`. */
export interface Pace {
  readonly first: Moment;
  readonly last: Moment;
}

/** A process that has sent snapshots to a series. */
export interface SeenProcess extends Pace {
  /** See `processIdentity` of packages/profile; "" if the profiles do not identify it. */
  readonly identity: string;
  /** Names the process in the rows of `profiles`; "" in rows that older versions wrote. */
  readonly key: string;
  /** The counters of the last snapshot. */
  readonly counters: Counters;
}

export interface Snapshot {
  readonly profileId: string;
  readonly identity: string;
  readonly atMs: number;
  readonly counters: Counters;
}

/** Facts about a series that do not come from its profiles. */
export interface SeriesClaim {
  /** A tag such as `instance` names the process: only one sends at a time. */
  readonly isSingleProcess: boolean;
  /** For a new series: the same series under the version that sent last. */
  readonly otherVersion: Pace | undefined;
  /** The process of `processAfter` as its first stored snapshot shows it, if that one added nothing. */
  readonly after: SeenProcess | undefined;
}

/**
 * A remark for the sender: another process sends to the same series, or counters of a process fell, which cumulative counters never
 * do.
 */
export type Remark = "shared" | "fell";

export type Judgement =
  | {
      readonly kind: "counted";
      /** It may have stacks that the snapshot lacks, and has all of the snapshot's. */
      readonly added: Counters;
      /** The key of the process. */
      readonly key: string;
      readonly seen: readonly SeenProcess[];
      readonly remark: Remark | undefined;
    }
  | { readonly kind: "mixed"; readonly seen: readonly SeenProcess[] };

export const processesMax = 4;

interface Continuation {
  readonly process: SeenProcess;
  /** By counter: how much its total grew. */
  readonly growth: readonly bigint[];
}

/**
 * @param seen has the process whose snapshot was counted last at its end
 * @returns in `seen` at most `processesMax` processes, the latest ones
 */
export function judgeSnapshot(
  seen: readonly SeenProcess[],
  snapshot: Snapshot,
  claim: SeriesClaim,
): Judgement {
  const judgement = judgeAmong(seen, snapshot, claim);
  return { ...judgement, seen: judgement.seen.slice(-processesMax) };
}

function judgeAmong(seen: readonly SeenProcess[], snapshot: Snapshot, claim: SeriesClaim): Judgement {
  const candidates = candidatesOf(seen, snapshot, claim);
  const newest = candidates.at(-1);
  const earliest = claim.after === undefined ? undefined : judgeBefore(seen, snapshot, claim.after, claim);
  if (earliest !== undefined) return earliest;
  if (newest !== undefined && newest.last.atMs >= snapshot.atMs) {
    // A late snapshot only has values that a later one includes already.
    return { kind: "counted", added: nothingOf(snapshot), key: newest.key, seen, remark: undefined };
  }
  const totals = totalsOf(snapshot.counters.values);
  const possible = candidates.flatMap((process) => continuationOf(process, snapshot, totals, claim));
  const nearest = nearestOf(possible, snapshot);
  if (nearest === undefined) return judgeFirst(seen, snapshot, claim);
  const { process } = nearest;
  const isNewestContinued = () =>
    possible.some((other) => other.process === newest && canFollow(newest.counters, snapshot.counters));
  if (newest!.last.atMs > process.last.atMs && !isNewestContinued()) {
    return {
      kind: "mixed",
      seen: seen.map((other) => (other === process ? withSnapshot(process, snapshot) : other)),
    };
  }
  const after = withSnapshot(process, snapshot);
  const isShared = seen.some(({ last }) => last.atMs > process.last.atMs && last.atMs <= snapshot.atMs);
  return {
    kind: "counted",
    added: { ids: snapshot.counters.ids, values: growthOf(process.counters, snapshot.counters)! },
    key: after.key,
    seen: [...seen.filter((other) => other !== process), after],
    remark: isShared ? "shared" : undefined,
  };
}

/** The process to which the snapshot may belong if it is older than all its known ones. */
export function processAfter(
  seen: readonly SeenProcess[],
  snapshot: Snapshot,
  claim: Pick<SeriesClaim, "isSingleProcess">,
): SeenProcess | undefined {
  const earliest = candidatesOf(seen, snapshot, claim).toSorted((a, b) => a.first.atMs - b.first.atMs)[0];
  return earliest !== undefined && snapshot.atMs < earliest.first.atMs ? earliest : undefined;
}

/** The snapshot adds the growth up to the one that was the first, as that one would have if both had come in order. */
function judgeBefore(
  seen: readonly SeenProcess[],
  { counters, atMs }: Snapshot,
  after: SeenProcess,
  claim: SeriesClaim,
): Judgement | undefined {
  const moment = { atMs, totals: totalsOf(counters.values) };
  if (atMs >= after.last.atMs) return undefined;
  // The definitions of stacks are stored by day.
  const hasNewStacks = after.counters.ids.length > counters.ids.length;
  if (hasNewStacks && Math.floor(atMs / dayMs) !== Math.floor(after.last.atMs / dayMs)) return undefined;
  const process = { ...after, counters, first: moment, last: moment };
  const next = { identity: after.identity, atMs: after.last.atMs };
  const values = growthOf(counters, after.counters);
  if (values === undefined || continuationOf(process, next, after.last.totals, claim).length === 0) {
    return undefined;
  }
  return {
    kind: "counted",
    added: { ids: after.counters.ids, values },
    key: after.key,
    seen: seen.map((other) => (other.key === after.key ? { ...other, first: moment } : other)),
    remark: undefined,
  };
}

/**
 * The processes that the snapshot may continue. If one process sends at a time, only the newest process with the same identity is
 * possible: the others have ended.
 */
function candidatesOf(
  seen: readonly SeenProcess[],
  snapshot: Snapshot,
  claim: Pick<SeriesClaim, "isSingleProcess">,
): readonly SeenProcess[] {
  const same = seen.filter(({ identity }) => mayBeEqual(identity, snapshot.identity));
  return claim.isSingleProcess && snapshot.identity !== "" ? same.slice(-1) : same;
}

function mayBeEqual(a: string, b: string): boolean {
  return a === b || a === "" || b === "";
}

/**
 * The growth of the process, if the snapshot can follow it: then the totals grew by as much as the stacks.
 *
 * @param totals of the snapshot
 */
function continuationOf(
  process: SeenProcess,
  snapshot: Pick<Snapshot, "identity" | "atMs">,
  totals: readonly bigint[],
  claim: SeriesClaim,
): Continuation[] {
  const growth = totals.map((total, c) => total - (process.last.totals[c] ?? 0n));
  const isCertain =
    claim.isSingleProcess || (snapshot.identity !== "" && snapshot.identity === process.identity);
  if (!isCertain && isJump(process, growth, snapshot.atMs)) return [];
  return [{ process, growth }];
}

/** The process that the snapshot can follow with the least growth: only with that one are all stacks compared, which takes time. */
function nearestOf(possible: readonly Continuation[], { counters }: Snapshot): Continuation | undefined {
  const size = ({ growth }: Continuation) => growth.reduce((sum, total) => sum + total, 0n);
  return possible
    .toReversed()
    .toSorted((a, b) => (size(a) < size(b) ? -1 : Number(size(a) > size(b))))
    .find(({ process }) => canFollow(process.counters, counters));
}

/** Growth by more than this within one interval is taken for another process where nothing identifies the processes. */
const jumpFactor = 10n;

function isJump(process: SeenProcess, growth: readonly bigint[], atMs: number): boolean {
  return growth.some(
    (total, c) => total > jumpFactor * process.last.totals[c]! && total > plausibleGrowth(process, c, atMs),
  );
}

/** The snapshot of a process that was not seen before. */
function judgeFirst(seen: readonly SeenProcess[], snapshot: Snapshot, claim: SeriesClaim): Judgement {
  const totals = totalsOf(snapshot.counters.values);
  const moment = { atMs: snapshot.atMs, totals };
  const { identity, counters } = snapshot;
  const isKeyFree = identity !== "" && seen.every(({ key }) => key !== identity);
  const key = isKeyFree ? identity : `${identity}~${snapshot.profileId}`;
  const before = seen.at(-1) ?? claim.otherVersion;
  const isNew =
    before !== undefined &&
    (claim.isSingleProcess || totals.every((total, c) => total <= plausibleGrowth(before, c, snapshot.atMs)));
  return {
    kind: "counted",
    added: isNew ? counters : nothingOf(snapshot),
    key,
    seen: [...seen, { identity, key, counters, first: moment, last: moment }],
    remark: seen.some((process) => identity !== "" && process.identity === identity) ? "fell" : undefined,
  };
}

/** A restarted process may work harder than the one before it did on average. */
const paceFactor = 2;

/** The growth of counter `c` since the last snapshot of `pace` if it continued at that pace. */
function plausibleGrowth({ first, last }: Pace, c: number, atMs: number): number {
  if (last.atMs <= first.atMs || atMs <= last.atMs) return 0;
  const perMs = Number((last.totals[c] ?? 0n) - (first.totals[c] ?? 0n)) / (last.atMs - first.atMs);
  return paceFactor * perMs * (atMs - last.atMs);
}

function withSnapshot(process: SeenProcess, { identity, profileId, atMs, counters }: Snapshot): SeenProcess {
  return {
    identity: process.identity || identity,
    key: process.key || identity || `~${profileId}`,
    counters,
    first: process.first,
    last: { atMs, totals: totalsOf(counters.values) },
  };
}

function nothingOf({ counters: { ids, values } }: Snapshot): Counters {
  return { ids, values: values.map((column) => new BigInt64Array(column.length)) };
}
