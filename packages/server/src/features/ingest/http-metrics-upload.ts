import { hash } from "node:crypto";
import { HttpMetric } from "@flamekeep/contract";
import type { EncodeScope } from "./encode-profile.ts";
import { encodeRow } from "./encode-row.ts";
import type { Encoded } from "./encoded.ts";
import { inflateUpload } from "./inflate-upload.ts";
import { metricItems } from "./metric-items.ts";
import { packLines } from "./pack-lines.ts";
import { profileIdOf } from "./profile-id.ts";
import { accepted, type Outcome, refused } from "./refusal.ts";
import { checkedService } from "./service-name.ts";
import { datedMetric, dayMs, withinWindow } from "./started-at.ts";
import { dateTime } from "./tables.ts";

interface Request {
  readonly at: number;
  readonly metric: HttpMetric;
}

/** A batch of HTTP metrics: its requests, and one profile of type metrics that counts them. */
export function encodeHttpMetrics(
  serviceText: string,
  body: Uint8Array,
  scope: EncodeScope,
): Outcome<Encoded> {
  const service = checkedService(serviceText);
  if (!service.ok) return service;
  const inflated = inflateUpload(body, scope.inflatedBytesMax, scope.sending);
  if (!inflated.ok) return inflated;
  const { raw } = inflated.value;
  const items = metricItems(raw, scope.samplesMax);
  if (!items.ok) return items;
  const requests = checkedRequests(items.value, scope);
  if (!requests.ok) return requests;
  return accepted(encode(requests.value, service.value, { raw, bodyBytes: body.length }, scope));
}

function checkedRequests(items: readonly unknown[], scope: EncodeScope): Outcome<Request[]> {
  const requests: Request[] = [];
  for (const [index, item] of items.entries()) {
    const parsed = HttpMetric.safeParse(item);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      const field = issue?.path.join(".") || "item";
      return refused(
        "invalid",
        "metric",
        `Metric ${index}: ${field}: ${issue?.message ?? "invalid"}. Nothing of the batch was stored.`,
      );
    }
    const { timestamp } = parsed.data;
    const at = typeof timestamp === "number" ? Math.floor(timestamp) : Date.parse(timestamp);
    const window = withinWindow(at, scope, datedMetric(index));
    if (!window.ok) return window;
    requests.push({ at, metric: parsed.data });
  }
  return accepted(requests);
}

function encode(
  requests: readonly Request[],
  service: string,
  { raw, bodyBytes }: { raw: Uint8Array; bodyBytes: number },
  scope: EncodeScope,
): Encoded {
  const first = requests.reduce((min, { at }) => Math.min(min, at), Number.POSITIVE_INFINITY);
  const last = requests.reduce((max, { at }) => Math.max(max, at), first);
  const { orgId } = scope;
  const contentHash = hash("sha256", raw, "hex");
  const identity = { orgId, service, type: "metrics", startedAtMs: first, contentHash };
  const profileId = profileIdOf(identity);
  const count = BigInt(requests.length);
  const facts = {
    ...identity,
    profileId,
    receivedAtMs: scope.nowMs,
    durationNs: BigInt(last - first) * 1_000_000n,
    tags: new Map(),
    facts: new Map(),
    sampleTypes: ["requests/count"],
    totals: [count],
    sampleCount: requests.length,
    stackCount: 0,
    originalBytes: bodyBytes,
    rawBytes: raw.length,
    trimmed: new Map(),
    sender: "api",
  };
  return {
    orgId,
    profileId,
    service,
    type: "metrics",
    startedAtMs: first,
    sampleCount: requests.length,
    trimmed: new Map(),
    timelessKey: undefined,
    rows: {
      ...packLines({
        http_requests: requests.map((request) => requestLine(orgId, service, request, profileId)).join(""),
      }),
      profiles: encodeRow(facts, {
        stackIds: new Uint8Array(),
        totals: [count],
        values: [new BigInt64Array()],
      }),
    },
    payload: undefined,
    cumulative: undefined,
    requestTimes: [...new Map(requests.map(({ at }) => [dayOf(at), at])).values()],
  };
}

function dayOf(at: number): number {
  return Math.floor(at / dayMs);
}

function requestLine(orgId: string, service: string, { at, metric }: Request, profileId: string): string {
  const { duration, status_code, method, path, request_id } = metric;
  const texts = [method.toUpperCase(), path, request_id].map((text) => text.toWellFormed());
  const line = [orgId, service, dateTime(at), duration, status_code, ...texts, profileId];
  return `${JSON.stringify(line)}\n`;
}
