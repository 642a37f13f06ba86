import { randomBytes, randomUUID } from "node:crypto";
import { httpMetricsEndpoint } from "@flamekeep/server/ingest/endpoints/http-metrics.ts";
import { otlpTracesEndpoint } from "@flamekeep/server/ingest/endpoints/otlp-traces.ts";
import type { UploadEndpoint } from "@flamekeep/server/ingest/endpoints/upload-endpoint.ts";
import { SentDefinitions } from "@flamekeep/server/ingest/rows/definitions.ts";
import { tracesOf } from "@flamekeep/server/ingest/testing/traces-of.ts";
import { cpuPerCall } from "#cpu";
import { atMost, type Measurement } from "#result";

const batchSize = 500;
const warmCalls = 200;
const turns = 10;
const turnUs = 50_000;

/** CPU of a worker thread for a batch of spans of HTTP servers, next to the same requests at our own endpoint. */
export function measureSpanBatches(): Measurement[] {
  const requests = Array.from({ length: batchSize }, (_, index) => requestOf(index));
  const acceptSpans = acceptance(otlpTracesEndpoint, "application/x-protobuf", spansOf(requests));
  const acceptMetrics = acceptance(httpMetricsEndpoint, "application/json", metricsOf(requests));
  for (let call = 0; call < warmCalls; call++) {
    acceptSpans();
    acceptMetrics();
  }
  let [spansUs, metricsUs] = [0, 0];
  for (let turn = 0; turn < turns; turn++) {
    spansUs += cpuPerCall(acceptSpans, turnUs) / turns;
    metricsUs += cpuPerCall(acceptMetrics, turnUs) / turns;
  }
  const what = `${batchSize} HTTP requests`;
  return [
    {
      what: `${what} as spans, over as metrics`,
      value: spansUs / metricsUs,
      unit: "x",
      bar: atMost(2, true),
    },
    { what: `${what} as spans, each`, value: spansUs / batchSize, unit: "us" },
    { what: `${what} as metrics, each`, value: metricsUs / batchSize, unit: "us" },
  ];
}

interface Request {
  readonly startMs: number;
  readonly durationMs: number;
  readonly status: number;
  readonly item: number;
  readonly id: string;
}

function requestOf(index: number): Request {
  return {
    startMs: Date.now() - index,
    durationMs: 1 + (index % 97),
    status: index % 50 === 0 ? 500 : 200,
    item: index,
    id: randomBytes(16).toString("hex"),
  };
}

/** As the instrumentations of Python and Go send them, with the attributes that nobody reads. */
function spansOf(requests: readonly Request[]): Uint8Array {
  const attributes = {
    "telemetry.sdk.language": "python",
    "telemetry.sdk.name": "opentelemetry",
    "telemetry.sdk.version": "1.45.1",
    "service.instance.id": randomUUID(),
    "service.name": "kiosk",
  };
  const spans = requests.map(({ startMs, durationMs, status, item, id }) => ({
    traceId: id,
    startNs: BigInt(startMs) * 1_000_000n,
    endNs: BigInt(startMs + durationMs) * 1_000_000n,
    attributes: {
      "http.request.method": "GET",
      "url.scheme": "http",
      "server.address": "kiosk.example.com",
      "server.port": 8080,
      "url.path": `/papers/${item}`,
      "client.address": "10.0.0.7",
      "network.peer.address": "10.0.0.7",
      "network.peer.port": 40_000 + item,
      "user_agent.original": "curl/8.14.1",
      "network.protocol.version": "1.1",
      "http.route": "/papers/{name}",
      "http.response.status_code": status,
    },
  }));
  return tracesOf([{ attributes, spans }]);
}

function metricsOf(requests: readonly Request[]): Uint8Array {
  const metrics = requests.map(({ startMs, durationMs, status, id }) => ({
    timestamp: new Date(startMs).toISOString(),
    duration: durationMs / 1000,
    status_code: status,
    method: "GET",
    path: "/papers/{name}",
    request_id: id,
  }));
  return Buffer.from(JSON.stringify(metrics));
}

function acceptance(endpoint: UploadEndpoint, contentType: string, sent: Uint8Array): () => void {
  const definitions = new SentDefinitions();
  const scope = {
    orgId: randomUUID(),
    nowMs: Date.now(),
    retentionDays: 30,
    inflatedBytesMax: 2 ** 24,
    samplesMax: 1e5,
    profilesMax: 1,
    labelValuesMax: 100,
    labelSeriesValuesMax: 1000,
  };
  return () => {
    const request = { query: { service: "kiosk" }, contentType, body: Uint8Array.from(sent), scope };
    const outcome = endpoint.encode(request, definitions);
    if (!outcome.ok) throw new Error(outcome.refusal.message);
    if (outcome.value[0]?.sampleCount !== batchSize) throw new Error("not all requests were accepted");
  };
}
