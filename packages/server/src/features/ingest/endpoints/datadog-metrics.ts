import { type NamedValue, profileOfValues, type ValueType, writeProfile } from "@flamekeep/profile";
import { z } from "zod";
import { parseJson } from "#json/parse-json.ts";
import { JsonFault, jsonDepthMax } from "#json/scan-json.ts";
import { free } from "#memory/free.ts";
import { inflate } from "#stacks/inflate.ts";

/** An attachment with numbers of the process and its period, that have no stack. */
export const metricsName = "metrics.json";

const Metric = z.tuple([z.string(), z.number().nonnegative()]);

interface Measured extends ValueType {
  /** A count for each second, or the share of the time, is multiplied with the period: then it adds up over a range. */
  readonly times?: "seconds" | "nanoseconds";
}

/** By the names of dd-trace-go (profiler/metrics.go). Its rates of allocations are left out: heap profiles have them by code. */
const measured: Readonly<Record<string, Measured>> = {
  go_num_goroutine: { type: "go_num_goroutine", unit: "count" },
  go_gcs_per_sec: { type: "go_gc_events", unit: "count", times: "seconds" },
  go_gc_pause_time: { type: "go_gc_pause_time", unit: "nanoseconds", times: "nanoseconds" },
  go_max_gc_pause_time: { type: "go_max_gc_pause_time", unit: "nanoseconds" },
};

/** The library sends less than a kilobyte. */
const jsonLimits = { depthMax: jsonDepthMax, bytesMax: 1024 * 1024 };

/**
 * The goroutines and collections of garbage in Go's metrics, as pprof with one frame; undefined if there are none.
 *
 * @param body the attachment, compressed or not
 */
export function readMetrics(body: Uint8Array, durationNs: bigint): Uint8Array | "unreadable" | undefined {
  const inflated = inflate(body, jsonLimits.bytesMax);
  if (!inflated.ok) return "unreadable";
  try {
    return pprofOfMetrics(parseJson(inflated.bytes, jsonLimits), durationNs);
  } catch (error) {
    if (error instanceof JsonFault) return "unreadable";
    throw error;
  } finally {
    if (inflated.bytes.buffer !== body.buffer) free(inflated.bytes);
  }
}

/** @param metrics anything but a name with a number is left out */
function pprofOfMetrics(metrics: unknown, durationNs: bigint): Uint8Array | undefined {
  const factors = { seconds: Number(durationNs) / 1e9, nanoseconds: Number(durationNs) };
  const values = (Array.isArray(metrics) ? metrics : []).flatMap((each): NamedValue[] => {
    const metric = Metric.safeParse(each);
    if (!metric.success) return [];
    const [name, amount] = metric.data;
    if (!Object.hasOwn(measured, name)) return [];
    const { times, ...valueType } = measured[name]!;
    const value = Math.round(amount * (times === undefined ? 1 : factors[times]));
    return Number.isSafeInteger(value) ? [{ ...valueType, value }] : [];
  });
  if (values.length === 0) return undefined;
  return writeProfile(
    profileOfValues("(Go runtime)", values, { durationNs, defaultSampleType: "go_num_goroutine" }),
  );
}
