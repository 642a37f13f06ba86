// Reads every hostile batch of the largest size with the heap of this process, and prints how far each came.
import process from "node:process";
import { encodeHttpMetrics } from "#ingest/endpoints/http-metrics.ts";
import { readMetrics } from "#ingest/endpoints/metric-items.ts";
import { hostileJson } from "./hostile-bodies.ts";

const bytesMax = 16 * 1024 * 1024;
const scope = {
  orgId: "00000000-0000-4000-8000-000000000001",
  nowMs: Date.UTC(2026, 10, 20, 12),
  retentionDays: 30,
  inflatedBytesMax: bytesMax,
  samplesMax: 1_000_000,
  profilesMax: 1,
  labelValuesMax: 100,
  labelSeriesValuesMax: 1000,
};

const results: Record<string, { reason: string | undefined; taken: number }> = {};
for (const { name, bytes } of hostileJson(bytesMax, new Date(scope.nowMs))) {
  const outcome = encodeHttpMetrics("hostile", bytes, scope);
  let taken = 0;
  readMetrics(bytes, scope.samplesMax, (item) => {
    taken++;
    const isRecord = typeof item === "object" && item !== null && "path" in item;
    return isRecord ? undefined : { code: "invalid", reason: "metric", message: "" };
  });
  results[name] = { reason: outcome.ok ? undefined : outcome.refusal.reason, taken };
}
process.stdout.write(JSON.stringify(results));
