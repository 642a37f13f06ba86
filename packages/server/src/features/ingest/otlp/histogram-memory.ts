import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { Encoded, Rejected } from "#ingest/rows/encoded.ts";
import type { Distribution, HistogramPoint } from "#ingest/upload/histogram.ts";
import type { RecordedMetrics } from "#ingest/upload/recorded-upload.ts";
import { type Bucket, bucketsOf, growthOf } from "./buckets.ts";
import type { ReportedRequests } from "./encode-histograms.ts";

/** While a service sends its requests one by one, its histograms would count them again. */
const singleRequestsMs = 10 * minuteMs;
const singleServicesMax = 10_000;
const forgottenMs = hourMs;
/** Buckets with requests that are remembered for an organization: tens of megabytes. */
const bucketsMax = 500_000;
const bytesPerRow = 160;

interface Series {
  timeMs: number;
  distribution: Distribution;
}

/** The series of a process: each report has all of them that have had requests. */
interface Stream {
  readonly startMs: number;
  readonly firstTimeMs: number;
  timeMs: number;
  readonly series: Map<string, Series>;
  buckets: number;
  reportedMs: number;
}

interface Organization {
  /** The stream that was reported longest ago is first. */
  readonly streams: Map<string, Stream>;
  buckets: number;
  /** Streams that are new and began before may have been counted already. */
  countsFromMs: number;
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

/**
 * The last reports of histograms that count since their process began, by organization. In memory: after a start, the first report of an
 * older process is where counting begins.
 */
export class HistogramMemory {
  readonly #sinceMs: number;
  readonly #organizations = new Map<string, Organization>();
  /** When services last sent requests one by one. */
  readonly #singleRequests = new Map<string, number>();
  readonly #turns = new Map<string, Promise<unknown>>();

  /** @param sinceMs since when this process takes uploads */
  constructor(sinceMs: number) {
    this.#sinceMs = sinceMs;
  }

  /** To be called with each upload, for HTTP metrics of other senders. */
  noteUpload({ orgId, service, recorded }: Encoded, nowMs: number): void {
    if (recorded.kind !== "metrics" || recorded.sender === "otlp_histogram") return;
    const key = `${orgId}/${service}`;
    this.#singleRequests.delete(key);
    this.#singleRequests.set(key, nowMs);
    if (this.#singleRequests.size > singleServicesMax)
      this.#singleRequests.delete(this.#singleRequests.keys().next().value!);
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
    const organization = this.#organizationOf(limits);
    const budget = new Budget(limits);
    const dropped = new Map<string, number>();
    const services = Map.groupBy(points, ({ service }) => service);
    const stored = [...services].map(async ([service, ofService]) => {
      const hasSingle = this.#hasSingleRequests(service, limits);
      const compared = latestOf(ofService).map((point) => ({
        point,
        found: growthIn(organization, point, limits.nowMs),
      }));
      const requests = compared.flatMap(({ found }) => {
        if (found === undefined) return [];
        const kind = typeof found === "string" ? found : hasSingle ? "of_single_requests" : undefined;
        if (kind !== undefined) dropped.set(`histogram_${kind}`, (dropped.get(`histogram_${kind}`) ?? 0) + 1);
        return typeof found !== "string" && kind === undefined && budget.admits(service, found)
          ? [found]
          : [];
      });
      if (requests.length > 0) await store(reportOf(service, requests, limits.nowMs));
      for (const { point, found } of compared)
        if (point.isCumulative && found !== "fell") rememberIn(organization, point, limits.nowMs);
    });
    const outcomes = await Promise.allSettled(stored);
    for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
    return { rejected: budget.rejected, dropped };
  }

  #hasSingleRequests(service: string, { orgId, nowMs }: Limits): boolean {
    const last = this.#singleRequests.get(`${orgId}/${service}`);
    return last !== undefined && nowMs - last < singleRequestsMs;
  }

  #organizationOf({ orgId, nowMs }: Limits): Organization {
    const organization = this.#organizations.get(orgId) ?? {
      streams: new Map<string, Stream>(),
      buckets: 0,
      countsFromMs: this.#sinceMs,
    };
    this.#organizations.set(orgId, organization);
    forgetOld(organization, nowMs);
    return organization;
  }
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

/** The requests of a point that were not reported before; undefined if there are none. */
function growthIn(
  organization: Organization,
  point: HistogramPoint,
  nowMs: number,
): ReportedRequests | "first_report" | "fell" | undefined {
  const { startMs, timeMs, isCumulative, distribution } = point;
  const from = startMs === 0 ? timeMs : startMs;
  if (!isCumulative) return requestsOf(point, distribution, from);
  const stream = organization.streams.get(point.stream);
  const earlier = stream?.series.get(point.series);
  if (earlier !== undefined) {
    if (timeMs <= earlier.timeMs) return undefined;
    const growth = growthOf(earlier.distribution, distribution);
    // With a known start only another process can have counted less. Without one, the count began again.
    if (growth === undefined && startMs !== 0) return "fell";
    return requestsOf(point, growth ?? distribution, earlier.timeMs);
  }
  // A process reports all its series: one that was not in its last report had no requests by then.
  if (stream !== undefined && stream.firstTimeMs < timeMs)
    return requestsOf(point, distribution, Math.min(stream.timeMs, timeMs));
  // By the clock of the sender, and by its age, because that clock may be ahead.
  const beganMs = Math.min(startMs, nowMs - (timeMs - startMs));
  if (startMs === 0 || beganMs <= organization.countsFromMs)
    return distribution.counts.size === 0 ? undefined : "first_report";
  return requestsOf(point, distribution, from);
}

function requestsOf(
  point: HistogramPoint,
  distribution: Distribution,
  fromMs: number,
): ReportedRequests | undefined {
  if (distribution.counts.size === 0) return undefined;
  const { stream, series, method, path, statusCode, unitSeconds, timeMs } = point;
  const buckets = bucketsOf(distribution, point).map(
    ([lower, upper, count]): Bucket => [lower * unitSeconds, upper * unitSeconds, count],
  );
  return {
    series: `${stream}/${series}`,
    method,
    path,
    status_code: statusCode,
    fromMs: Math.max(fromMs, timeMs - hourMs),
    toMs: timeMs,
    buckets,
  };
}

function rememberIn(organization: Organization, point: HistogramPoint, nowMs: number): void {
  const { streams } = organization;
  const stream = streams.get(point.stream) ?? {
    startMs: point.startMs,
    firstTimeMs: point.timeMs,
    timeMs: point.timeMs,
    series: new Map<string, Series>(),
    buckets: 0,
    reportedMs: nowMs,
  };
  const earlier = stream.series.get(point.series);
  if (earlier === undefined || earlier.timeMs < point.timeMs) {
    const added = 1 + point.distribution.counts.size - (earlier ? 1 + earlier.distribution.counts.size : 0);
    stream.series.set(point.series, { timeMs: point.timeMs, distribution: point.distribution });
    stream.buckets += added;
    organization.buckets += added;
  }
  stream.timeMs = Math.max(stream.timeMs, point.timeMs);
  stream.reportedMs = nowMs;
  streams.delete(point.stream);
  streams.set(point.stream, stream);
  forgetOld(organization, nowMs);
}

/** A stream that is forgotten was counted: if it is reported again, or one as old, counting begins with that report. */
function forgetOld(organization: Organization, nowMs: number): void {
  for (const [key, { startMs, buckets, reportedMs }] of organization.streams) {
    if (nowMs - reportedMs < forgottenMs && organization.buckets <= bucketsMax) return;
    organization.streams.delete(key);
    organization.buckets -= buckets;
    organization.countsFromMs = Math.max(organization.countsFromMs, startMs);
  }
}

/** The requests of a message must fit the limits of a batch of HTTP metrics: each becomes a row. */
class Budget {
  readonly #limits: Limits;
  readonly #services = new Set<string>();
  #count = 0;
  #bytes = 0;
  #rejected = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  admits(service: string, { method, path, buckets }: ReportedRequests): boolean {
    const { samplesMax, profilesMax, inflatedBytesMax } = this.#limits;
    const count = buckets.reduce((sum, [, , each]) => sum + each, 0);
    const bytes = count * (bytesPerRow + Buffer.byteLength(JSON.stringify([method, path])));
    this.#services.add(service);
    if (
      this.#count + count > samplesMax ||
      this.#bytes + bytes > inflatedBytesMax ||
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
    const message = `Histograms with more than ${samplesMax} requests, or of more than ${profilesMax} services, in one message were not stored. Export more often, send smaller batches, or raise INGEST_MAX_METRICS, INGEST_MAX_METRICS_BYTES or INGEST_MAX_PROFILES on the server.`;
    return { count: this.#rejected, message };
  }
}
