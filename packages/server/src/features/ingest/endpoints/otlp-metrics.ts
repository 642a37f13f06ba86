import { ingestOtlpMetrics } from "@flamekeep/contract";
import { endpointOf } from "@flamekeep/contract/schemas";
import { encodeMetrics } from "#ingest/otlp/encode-histograms.ts";
import { metricsRequest } from "#ingest/otlp/messages.ts";
import { encodeOtlpMessage } from "./otlp-message.ts";
import { answerAsStatus, checkOtlpCall, exportReply } from "./otlp-reply.ts";
import { uploadEndpoint } from "./upload-endpoint.ts";

/**
 * OpenTelemetry's `ExportMetricsServiceRequest` over HTTP, in protobuf or JSON: histograms of HTTP servers become HTTP metrics, except of
 * services that send spans.
 */
export const otlpMetricsEndpoint = uploadEndpoint({
  call: endpointOf(ingestOtlpMetrics),
  paths: [ingestOtlpMetrics.path],
  limits: ({ maxMetricsBytes, maxMetrics }) => ({
    inflatedBytesMax: maxMetricsBytes,
    samplesMax: maxMetrics,
  }),
  encode: (request) => encodeOtlpMessage(request, metricsRequest, encodeMetrics),
  reply: (_, { contentType, rejected }) => exportReply(rejected, "rejectedDataPoints", contentType),
  beforeBody: async (request) =>
    checkOtlpCall(request, "an ExportMetricsServiceRequest", "profiles belong to /v1development/profiles"),
  addHooks: answerAsStatus,
});
