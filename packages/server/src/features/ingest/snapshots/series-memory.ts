import { dayMs } from "@flamekeep/contract/durations";
import { totalOf } from "@flamekeep/profile";
import { wordsAt } from "#ingest/encode/read-counters.ts";
import { type Counters, columnsAt, countersOnly } from "#ingest/rows/counters.ts";
import { type Cumulative, type Series, seriesKey } from "#ingest/rows/encoded.ts";
import { encodeRow } from "#ingest/rows/profile-columns.ts";
import { accepted, type Outcome, refused } from "#ingest/upload/refusal.ts";
import { instanceTags, versionTags } from "#store/profiles/tag-names.ts";
import { MemoryShares } from "./memory-shares.ts";
import type { PendingSnapshot } from "./pending-snapshot.ts";
import {
  type Judgement,
  judgeSnapshot,
  processAfter,
  processesMax,
  type Remark,
  type SeenProcess,
  type SeriesClaim,
} from "./processes.ts";

export interface ProcessSearch {
  readonly series: Series;
  /**
   * Which processes: the latest ones of the series, one that has this identity, one as its first snapshot shows it if that one
   * added nothing, or only the pace of the latest one, whatever version it names.
   */
  readonly only: "latest" | "pace" | { readonly identity: string } | { readonly firstOf: string };
}

/** Finds processes that have sent snapshots since `from`, the latest one at the end. */
export type FindProcesses = (search: ProcessSearch, from: Date) => Promise<SeenProcess[]>;

export interface SnapshotRow {
  /** The row of `profiles`. */
  readonly row: Buffer;
  /** For the sender. */
  readonly notice: string | undefined;
}

type Seen = readonly SeenProcess[];
type Find = (search: ProcessSearch) => Promise<SeenProcess[]>;

const bytesMax = 32 * 1024 * 1024;
/** For one series: a larger one is read from the store for each snapshot. */
const seriesBytesMax = bytesMax / 2;
const lookBackMs = dayMs;

/**
 * Computes what each snapshot of counters adds. Remembers the latest processes of each series within bounds and asks the
 * store for the others, so that neither a restart nor a full memory interrupts a series.
 */
export class SeriesMemory {
  readonly #find: FindProcesses;
  readonly #keepsValues: boolean;
  readonly #seen = new Map<string, Promise<Seen>>();
  readonly #shares = new MemoryShares({ sizeMax: bytesMax, entrySizeMax: seriesBytesMax });
  /** The latest pending snapshot of each series, which the store does not have yet. */
  readonly #pending = new Map<string, PendingSnapshot>();

  /** @param keepsValues whether rows of snapshots have the values as they were sent, because their bytes are not kept */
  constructor(find: FindProcesses, keepsValues = false) {
    this.#find = find;
    this.#keepsValues = keepsValues;
  }

  /**
   * The snapshot's row of `profiles`. Snapshots of one series take turns in the order of the calls.
   *
   * @param pending this snapshot; the caller marks it as stored or rejected once that is decided
   */
  async rowOf(
    snapshot: Cumulative,
    startedAtMs: number,
    pending: PendingSnapshot,
  ): Promise<Outcome<SnapshotRow>> {
    const key = seriesKey(snapshot.series);
    const earlier = this.#pending.get(key);
    if (earlier?.isRejected) this.#forget(key);
    const from = new Date(startedAtMs - lookBackMs);
    const find = this.#findAfter(earlier, from);
    const remembered = this.#seen.get(key);
    if (remembered !== undefined) pending.buildOn(earlier);
    const before = remembered ?? find({ series: snapshot.series, only: "latest" });
    const judged = before.then((seen) => this.#judge(seen, snapshot, startedAtMs, find));
    this.#remember(
      key,
      snapshot.series.orgId,
      judged.then(({ seen }) => seen),
    );
    this.#track(key, pending);
    const judgement = await judged.catch((error: unknown) => {
      pending.markRejected();
      throw error;
    });
    if (judgement.kind === "mixed") {
      pending.markSkipped();
      return refused("unprocessable", "mixed_processes", mixedProcesses);
    }
    const { added, key: process, remark } = judgement;
    const notice = remark === undefined ? undefined : notices[remark];
    return accepted({ row: this.#rowOf(snapshot, added, process), notice });
  }

  #rowOf(snapshot: Cumulative, added: Counters, process: string): Buffer {
    return cumulativeRow(snapshot, { added, process, keepsValues: this.#keepsValues });
  }

  /** To be called when stored snapshots were removed. */
  clear(): void {
    for (const key of this.#seen.keys()) this.#forget(key);
  }

  /** Queries the store only once it has the pending snapshots: otherwise their additions would count twice. */
  #findAfter(earlier: PendingSnapshot | undefined, from: Date): Find {
    return async (search) => {
      await earlier?.settled();
      return this.#find(search, from);
    };
  }

  #track(key: string, pending: PendingSnapshot): void {
    this.#pending.set(key, pending);
    void pending.settled().then(() => {
      if (this.#pending.get(key) !== pending) return;
      this.#pending.delete(key);
      if (pending.isRejected) this.#forget(key);
    });
  }

  async #judge(remembered: Seen, snapshot: Cumulative, startedAtMs: number, find: Find): Promise<Judgement> {
    const { series, stackValues, identity, facts } = snapshot;
    const seen = await this.#withNamedProcess(remembered, snapshot, find);
    const counters = countersOnly(stackValues, series.isCounter);
    const compared = { profileId: facts.profileId, identity, atMs: startedAtMs, counters };
    const isSingleProcess = namesInstance(series.tags);
    const after = processAfter(seen, compared, { isSingleProcess });
    const claim: SeriesClaim = {
      isSingleProcess,
      otherVersion: seen.length === 0 ? await this.#otherVersion(series, find) : undefined,
      after: after && (await find({ series, only: { firstOf: after.key } }))[0],
    };
    return judgeSnapshot(seen, compared, claim);
  }

  /** Adds the process that the snapshot names, because only a few processes are remembered. */
  async #withNamedProcess(seen: Seen, { series, identity }: Cumulative, find: Find): Promise<Seen> {
    const isRemembered = seen.some((process) => process.identity === identity);
    if (seen.length < processesMax || identity === "" || isRemembered) return seen;
    return [...(await find({ series, only: { identity } })), ...seen];
  }

  async #otherVersion(series: Series, find: Find): Promise<SeenProcess | undefined> {
    if (!versionTags.some((name) => series.tags.has(name))) return undefined;
    return (await find({ series, only: "pace" })).at(-1);
  }

  #remember(key: string, orgId: string, after: Promise<Seen>): void {
    this.#seen.delete(key);
    this.#seen.set(key, after);
    after.then(
      (seen) => {
        if (this.#seen.get(key) !== after) return;
        for (const removed of this.#shares.use(orgId, key, sizeOf(seen))) this.#forget(removed);
      },
      () => undefined,
    );
  }

  #forget(key: string): void {
    this.#seen.delete(key);
    this.#shares.remove(key);
  }
}

const mixedProcesses =
  "Two processes send as one series, so their counters cannot be told apart: add tag.instance=... with a different value for each process, such as its host name and port. If the counters are deltas, add delta=true.";
const notices: Readonly<Record<Remark, string>> = {
  shared:
    "Two processes send as one series: add tag.instance=... with a different value for each process, such as its host name and port.",
  fell: "The counters of this process fell. If they are deltas, as from /debug/pprof/delta_heap, add delta=true.",
};

const entryBytes = 1024;

function sizeOf(seen: Seen): number {
  return seen.reduce(
    (sum, { counters: { ids, values } }) => sum + entryBytes + ids.byteLength * (1 + values.length),
    entryBytes,
  );
}

/**
 * The row of `profiles` for a snapshot of counters: counters add `added`, gauges stay as they are. Stacks that add nothing are
 * left out.
 */
function cumulativeRow(
  { stackValues, facts, series }: Cumulative,
  { added, process, keepsValues }: RowOptions,
): Buffer {
  let next = 0;
  const columns = columnsAt(added.ids, stackValues).map((column, type) =>
    series.isCounter[type] ? added.values[next++]! : column,
  );
  const kept = placesThatAdd(columns, added.ids.length);
  const { buffer, byteOffset, length } = added.ids;
  return encodeRow(
    { ...facts, extraFacts: new Map([...facts.extraFacts, ["process", process]]) },
    {
      stackIds: wordsAt(new BigInt64Array(buffer, byteOffset, length), kept),
      totals: columns.map((column) => BigInt(totalOf(column))),
      values: columns.map((column) => new BigInt64Array(wordsAt(column, kept).buffer)),
      labels: undefined,
      ...(keepsValues && { snapshot: { stackIds: stackValues.ids, values: stackValues.values } }),
    },
  );
}

interface RowOptions {
  /** Has all stacks of the snapshot. */
  readonly added: Counters;
  /** Names the process for `latestOfProcesses`. */
  readonly process: string;
  /** See `SeriesMemory`. */
  readonly keepsValues: boolean;
}

/** Where a column is not 0. Reads halves of 32 bits: reading a BigInt allocates memory, and a profile may have a million stacks. */
function placesThatAdd(columns: readonly BigInt64Array[], length: number): Uint32Array {
  const halves = columns.map((column) => new Uint32Array(column.buffer, column.byteOffset, 2 * length));
  const places = new Uint32Array(length);
  let count = 0;
  for (let place = 0; place < length; place++) {
    for (const words of halves) {
      if (words[2 * place] === 0 && words[2 * place + 1] === 0) continue;
      places[count++] = place;
      break;
    }
  }
  return places.subarray(0, count);
}

/** They name a process too, but a new one after each restart. */
const processTags = ["pid", "process_id", "process.pid"];
const namingTags = [...instanceTags, ...processTags];

function namesInstance(tags: ReadonlyMap<string, string>): boolean {
  return namingTags.some((name) => tags.has(name));
}
