import { setImmediate as nextTurn } from "node:timers/promises";
import { minuteMs } from "@flamekeep/contract/durations";
import type { Encoded, Rejected } from "#ingest/rows/encoded.ts";
import type { HistogramPoint } from "#ingest/upload/histogram.ts";
import type { RecordedMetrics } from "#ingest/upload/recorded-upload.ts";
import { weightOf } from "./buckets.ts";
import type { ReportedRequests } from "./encode-histograms.ts";
import { HistogramStreams } from "./histogram-streams.ts";

/** While a service sends its requests one by one, its histograms would count them again. */
const singleRequestsMs = 10 * minuteMs;
/** Services of an organization that send them. */
const singleServicesMax = 10_000;
/** The memory of all organizations together: those that send beyond it remember less. */
const totalWeightMax = 2_000_000;
const bytesPerRow = 160;
/** Batches of HTTP metrics that a message may make: with the settings that are default, 4000 requests a second in a report a minute. */
const batchesMax = 10;
/** The memory of a point that waits for its turn, and of each of its buckets and bounds. */
const [bytesPerPoint, bytesPerBucket] = [1024, 64];

interface Organization {
  readonly streams: HistogramStreams;
  /** When services last sent requests one by one, the one that did so longest ago first. */
  readonly singleRequests: Map<string, number>;
}

interface Limits {
  readonly orgId: string;
  readonly nowMs: number;
  readonly samplesMax: number;
  readonly profilesMax: number;
  readonly inflatedBytesMax: number;
}

/** Requests of a service as an upload. */
export interface Report {
  readonly recorded: RecordedMetrics;
  readonly body: Uint8Array;
}

interface Taken {
  readonly rejected: Rejected | undefined;
  readonly dropped: ReadonlyMap<string, number>;
}

/** Bytes of points in memory, about. */
export function bytesOfPoints(points: readonly HistogramPoint[]): number {
  return points.reduce(
    (sum, { distribution }) => sum + bytesPerPoint + bytesPerBucket * weightOf(distribution),
    0,
  );
}

/**
 * Makes requests of histograms, by what each organization reported before. In memory: after a start, the first report of an
 * older process is where counting begins.
 */
export class HistogramMemory {
  readonly #sinceMs: number;
  readonly #organizations = new Map<string, Organization>();
  readonly #turns = new Map<string, Promise<unknown>>();
  #sweptMs = 0;

  /** @param sinceMs since when this process takes uploads */
  constructor(sinceMs: number) {
    this.#sinceMs = sinceMs;
  }

  /** To be called with each upload, for HTTP metrics of other senders. */
  noteUpload({ orgId, service, recorded }: Encoded, nowMs: number): void {
    if (recorded.kind !== "metrics" || recorded.sender === "otlp_histogram") return;
    const { singleRequests } = this.#organizationOf(orgId, nowMs);
    singleRequests.delete(service);
    singleRequests.set(service, nowMs);
    if (singleRequests.size > singleServicesMax) singleRequests.delete(singleRequests.keys().next().value!);
  }

  /**
   * Compares the points of a message with the reports before, and remembers them once `store` has resolved. Messages of an organization
   * take turns.
   */
  async take(
    points: readonly HistogramPoint[],
    limits: Limits,
    store: (report: Report) => Promise<void>,
  ): Promise<Taken> {
    if (points.length === 0) return { rejected: undefined, dropped: new Map() };
    const before = this.#turns.get(limits.orgId);
    const work = (async () => {
      await before;
      return this.#takeAll(points, limits, store);
    })();
    const turn = work.catch(() => undefined);
    this.#turns.set(limits.orgId, turn);
    try {
      return await work;
    } finally {
      if (this.#turns.get(limits.orgId) === turn) this.#turns.delete(limits.orgId);
    }
  }

  async #takeAll(
    points: readonly HistogramPoint[],
    limits: Limits,
    store: (report: Report) => Promise<void>,
  ): Promise<Taken> {
    const taking = { limits, store, budget: new Budget(limits), dropped: new Map<string, number>() };
    // A sender that repeats a message repeats its deltas, and of totals only those that were not stored.
    const reports = Map.groupBy(points, ({ service, isCumulative }) => `${isCumulative} ${service}`);
    const stored: Promise<void>[] = [];
    for (const ofReport of reports.values()) {
      const report = this.#takeReport(ofReport, taking);
      // It may fail before it is awaited below.
      report.catch(() => undefined);
      stored.push(report);
      await nextTurn();
    }
    await allOf(stored);
    return { rejected: taking.budget.rejected, dropped: taking.dropped };
  }

  async #takeReport(
    points: readonly HistogramPoint[],
    { limits, store, budget, dropped }: Taking,
  ): Promise<void> {
    const { nowMs } = limits;
    const { service } = points[0]!;
    const { streams, singleRequests } = this.#organizationOf(limits.orgId, nowMs);
    const sendsSingle = nowMs - (singleRequests.get(service) ?? Number.NEGATIVE_INFINITY) < singleRequestsMs;
    const compared = latestOf(points).map((point) => ({ point, growth: streams.growthOf(point, nowMs) }));
    const batches = [emptyBatch()];
    for (const { point, growth } of compared) {
      const kind = growth.kind === "requests" && sendsSingle ? "of_single_requests" : growth.kind;
      if (kind !== "requests" && kind !== "none")
        dropped.set(`histogram_${kind}`, (dropped.get(`histogram_${kind}`) ?? 0) + 1);
      else if (growth.kind === "requests" && budget.admits(service, growth.requests))
        addRequests(batches, growth.requests, limits.samplesMax);
      if (point.isCumulative && growth.kind !== "count_decreased" && growth.kind !== "without_start")
        batches.at(-1)!.points.push(point);
    }
    const stored = batches.map(async ({ requests, points }) => {
      if (requests.length > 0) await store(reportOf(service, requests, nowMs));
      for (const point of points) streams.remember(point, nowMs);
    });
    await allOf(stored);
    this.#limitTotal(streams, nowMs);
  }

  #organizationOf(orgId: string, nowMs: number): Organization {
    if (nowMs - this.#sweptMs > minuteMs) this.#sweep(nowMs);
    const organization = this.#organizations.get(orgId) ?? {
      streams: new HistogramStreams(this.#sinceMs),
      singleRequests: new Map<string, number>(),
    };
    this.#organizations.set(orgId, organization);
    return organization;
  }

  #sweep(nowMs: number): void {
    this.#sweptMs = nowMs;
    for (const [orgId, { streams, singleRequests }] of this.#organizations) {
      streams.forgetOld(nowMs);
      for (const [service, lastMs] of singleRequests) {
        if (nowMs - lastMs < singleRequestsMs) break;
        singleRequests.delete(service);
      }
      if (streams.isEmpty && singleRequests.size === 0) this.#organizations.delete(orgId);
    }
  }

  #limitTotal(streams: HistogramStreams, nowMs: number): void {
    let total = 0;
    for (const organization of this.#organizations.values()) total += organization.streams.weight;
    if (total > totalWeightMax) streams.forgetOld(nowMs, streams.weight - (total - totalWeightMax));
  }
}

interface Taking {
  readonly limits: Limits;
  readonly store: (report: Report) => Promise<void>;
  readonly budget: Budget;
  readonly dropped: Map<string, number>;
}

/** Requests that are one upload, and the points that are remembered once it is stored. */
interface Batch {
  readonly requests: ReportedRequests[];
  readonly points: HistogramPoint[];
  count: number;
}

function emptyBatch(): Batch {
  return { requests: [], points: [], count: 0 };
}

/** An upload has as many requests as a batch of HTTP metrics; those of one series stay together, so that all or none are counted. */
function addRequests(batches: Batch[], requests: ReportedRequests, countMax: number): void {
  const count = countOf(requests);
  if (batches.at(-1)!.count > 0 && batches.at(-1)!.count + count > countMax) batches.push(emptyBatch());
  const batch = batches.at(-1)!;
  batch.requests.push(requests);
  batch.count += count;
}

function countOf({ buckets }: ReportedRequests): number {
  return buckets.reduce((sum, [, , count]) => sum + count, 0);
}

/** Waits for all, also if some fail. */
async function allOf(work: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(work))
    if (outcome.status === "rejected") throw outcome.reason;
}

function reportOf(service: string, requests: readonly ReportedRequests[], receivedAtMs: number): Report {
  const recorded = { kind: "metrics", receivedAtMs, service, sender: "otlp_histogram" } as const;
  return { recorded, body: new TextEncoder().encode(JSON.stringify(requests)) };
}

/** Of several points of a cumulative series in a message, the latest: it includes the others. */
function latestOf(points: readonly HistogramPoint[]): readonly HistogramPoint[] {
  const latest = new Map<string, HistogramPoint>();
  for (const [index, point] of points.entries()) {
    const key = point.isCumulative ? `${point.stream}/${point.series}` : String(index);
    if ((latest.get(key)?.timeMs ?? 0) <= point.timeMs) latest.set(key, point);
  }
  return [...latest.values()];
}

/** The requests of a message must fit some batches of HTTP metrics: each becomes a row, and a report has those of a minute. */
class Budget {
  readonly #limits: Limits;
  readonly #services = new Set<string>();
  #count = 0;
  #bytes = 0;
  #rejected = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  admits(service: string, requests: ReportedRequests): boolean {
    const { samplesMax, profilesMax, inflatedBytesMax } = this.#limits;
    const { method, path } = requests;
    const count = countOf(requests);
    const bytes = count * (bytesPerRow + Buffer.byteLength(JSON.stringify([method, path])));
    this.#services.add(service);
    if (
      this.#count + count > samplesMax * batchesMax ||
      this.#bytes + bytes > inflatedBytesMax * batchesMax ||
      this.#services.size > profilesMax
    ) {
      this.#rejected++;
      return false;
    }
    this.#count += count;
    this.#bytes += bytes;
    return true;
  }

  get rejected(): Rejected | undefined {
    if (this.#rejected === 0) return undefined;
    const { samplesMax, profilesMax } = this.#limits;
    const message = `Histograms with more than ${samplesMax * batchesMax} requests, or of more than ${profilesMax} services, in one message were not stored. Export more often, send smaller batches, or raise INGEST_MAX_METRICS, INGEST_MAX_METRICS_BYTES or INGEST_MAX_PROFILES on the server.`;
    return { count: this.#rejected, message };
  }
}
