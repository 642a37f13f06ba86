import { ingestOtlpTraces } from "@flamekeep/contract";
import { endpointOf } from "@flamekeep/contract/schemas";
import { encodeSpans } from "#ingest/otlp/encode-spans.ts";
import { traceRequest } from "#ingest/otlp/messages.ts";
import { encodeOtlpMessage } from "./otlp-message.ts";
import { answerAsStatus, checkOtlpCall, exportReply } from "./otlp-reply.ts";
import { uploadEndpoint } from "./upload-endpoint.ts";

/** OpenTelemetry's `ExportTraceServiceRequest` over HTTP, in protobuf or JSON: spans of HTTP servers become HTTP metrics. */
export const otlpTracesEndpoint = uploadEndpoint({
  call: endpointOf(ingestOtlpTraces),
  paths: [ingestOtlpTraces.path],
  limits: ({ maxMetricsBytes, maxMetrics }) => ({
    inflatedBytesMax: maxMetricsBytes,
    samplesMax: maxMetrics,
  }),
  encode: (request) => encodeOtlpMessage(request, traceRequest, encodeSpans),
  reply: (_, { contentType, rejected }) => exportReply(rejected, "rejectedSpans", contentType),
  beforeBody: async (request) =>
    checkOtlpCall(request, "an ExportTraceServiceRequest", "profiles belong to /v1development/profiles"),
  addHooks: answerAsStatus,
});
