import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import { limits } from "@flamekeep/contract/limits";
import type { Distribution, HistogramPoint } from "#ingest/upload/histogram.ts";
import { type Bucket, bucketsOf, growthOf, weightOf } from "./buckets.ts";
import type { ReportedRequests } from "./encode-histograms.ts";

const forgottenMs = hourMs;
/** A new process reports sooner. An older one has another name, for example because a collector changed its attributes. */
const newMsMax = 10 * minuteMs;
/** The memory of an organization: buckets with requests, bounds, and each series as ten of them; up to a hundred megabytes. */
const weightMax = 500_000;
const seriesWeight = 10;

interface Series {
  timeMs: number;
  distribution: Distribution;
}

/** The series of a process: each report has all of them that have had requests. */
interface Stream {
  readonly startMs: number;
  readonly firstTimeMs: number;
  /** Whether all requests since its start were counted. */
  readonly isComplete: boolean;
  timeMs: number;
  /** The time of the report before the latest. */
  previousTimeMs: number;
  readonly series: Map<string, Series>;
  weight: number;
  reportedMs: number;
}

/** Why a point becomes no requests, as the metric of dropped points names it; "none" for a point without new requests. */
export type Growth =
  | { readonly kind: "requests"; readonly requests: ReportedRequests }
  | { readonly kind: "none" | "first_report" | "count_decreased" | "without_start" };

/** The last reports of an organization's histograms that count since their process began. */
export class HistogramStreams {
  /** The stream that was reported longest ago is first. */
  readonly #streams = new Map<string, Stream>();
  #weight = 0;
  /** Streams that are new and began before may have been counted already. */
  #countsFromMs: number;

  /** @param sinceMs since when this process takes uploads */
  constructor(sinceMs: number) {
    this.#countsFromMs = sinceMs;
  }

  get isEmpty(): boolean {
    return this.#streams.size === 0;
  }

  get weight(): number {
    return this.#weight;
  }

  /** The requests of a point that were not reported before. */
  growthOf(point: HistogramPoint, nowMs: number): Growth {
    const { startMs, timeMs, isCumulative, distribution } = point;
    if (!isCumulative) return requestsOf(point, distribution, startMs === 0 ? timeMs : startMs);
    // Two processes with the same attributes cannot be told apart.
    if (startMs === 0) return { kind: "without_start" };
    const stream = this.#streams.get(point.stream);
    const earlier = stream?.series.get(point.series);
    if (earlier !== undefined) {
      if (timeMs <= earlier.timeMs) return { kind: "none" };
      const growth = growthOf(earlier.distribution, distribution);
      return growth === undefined ? { kind: "count_decreased" } : requestsOf(point, growth, earlier.timeMs);
    }
    if (stream !== undefined && hasAllSeries(stream, timeMs))
      return requestsOf(point, distribution, Math.min(stream.timeMs, timeMs));
    if (this.#isNew(point, nowMs)) return requestsOf(point, distribution, startMs);
    return { kind: distribution.counts.size === 0 ? "none" : "first_report" };
  }

  remember(point: HistogramPoint, nowMs: number): void {
    const stream = this.#streams.get(point.stream) ?? this.#streamOf(point, nowMs);
    const earlier = stream.series.get(point.series);
    if (earlier === undefined || earlier.timeMs < point.timeMs) {
      const knownWeight = earlier === undefined ? -seriesWeight : weightOf(earlier.distribution);
      const added = weightOf(point.distribution) - knownWeight;
      stream.series.set(point.series, { timeMs: point.timeMs, distribution: point.distribution });
      stream.weight += added;
      this.#weight += added;
    }
    if (point.timeMs > stream.timeMs) [stream.previousTimeMs, stream.timeMs] = [stream.timeMs, point.timeMs];
    stream.reportedMs = nowMs;
    this.#streams.delete(point.stream);
    this.#streams.set(point.stream, stream);
    this.forgetOld(nowMs);
  }

  /**
   * Forgets processes that no longer report, and the oldest ones of an organization with too many. A forgotten process that is reported
   * again, or one that began as early, is counted from that report on.
   */
  forgetOld(nowMs: number, weightLimit = weightMax): void {
    for (const [key, { startMs, weight, reportedMs }] of this.#streams) {
      if (nowMs - reportedMs < forgottenMs && this.#weight <= weightLimit) return;
      this.#streams.delete(key);
      this.#weight -= weight;
      this.#countsFromMs = Math.max(this.#countsFromMs, startMs);
    }
  }

  #streamOf(point: HistogramPoint, nowMs: number): Stream {
    const { startMs, timeMs } = point;
    return {
      startMs,
      firstTimeMs: timeMs,
      isComplete: this.#isNew(point, nowMs),
      timeMs,
      previousTimeMs: timeMs,
      series: new Map(),
      weight: 0,
      reportedMs: nowMs,
    };
  }

  /** Whether the process began a short time ago and after this server, by the sender's clock and by its age: that clock may be ahead. */
  #isNew({ startMs, timeMs }: HistogramPoint, nowMs: number): boolean {
    const ageMs = timeMs - startMs;
    return ageMs <= newMsMax && Math.min(startMs, nowMs - ageMs) > this.#countsFromMs;
  }
}

/**
 * Whether a series that is not remembered had no requests by the report before. The first report of a process may come in several messages,
 * so that of a process that was not new a whole report must lie between.
 */
function hasAllSeries({ isComplete, firstTimeMs, timeMs, previousTimeMs }: Stream, nextMs: number): boolean {
  const lastMs = timeMs < nextMs ? timeMs : previousTimeMs;
  return isComplete ? firstTimeMs < nextMs : firstTimeMs < lastMs;
}

function requestsOf(point: HistogramPoint, distribution: Distribution, fromMs: number): Growth {
  if (distribution.counts.size === 0) return { kind: "none" };
  const { stream, series, method, path, statusCode, unitSeconds, timeMs } = point;
  const seconds = (duration: number) => Math.min(duration * unitSeconds, limits.httpDurationSecondsMax);
  const buckets = bucketsOf(distribution, point).map(
    ([lower, upper, count]): Bucket => [seconds(lower), seconds(upper), count],
  );
  const requests = {
    series: `${stream}/${series}`,
    method,
    path,
    status_code: statusCode,
    fromMs: Math.max(fromMs, timeMs - hourMs),
    toMs: timeMs,
    buckets,
  };
  return { kind: "requests", requests };
}
