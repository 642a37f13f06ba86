import { ingestOtlpMetrics } from "@flamekeep/contract";
import { endpointOf } from "@flamekeep/contract/schemas";
import { countDataPoints } from "#ingest/otlp/count-data-points.ts";
import { metricsRequest } from "#ingest/otlp/messages.ts";
import { encodeOtlpMessage } from "./otlp-message.ts";
import { answerAsStatus, checkOtlpCall, exportReply } from "./otlp-reply.ts";
import { uploadEndpoint } from "./upload-endpoint.ts";

/**
 * OpenTelemetry's `ExportMetricsServiceRequest` over HTTP, in protobuf or JSON. It is read and dropped, so that a collector that sends
 * metrics with the spans reports no errors.
 */
export const otlpMetricsEndpoint = uploadEndpoint({
  call: endpointOf(ingestOtlpMetrics),
  paths: [ingestOtlpMetrics.path],
  limits: ({ maxMetricsBytes, maxMetrics }) => ({
    inflatedBytesMax: maxMetricsBytes,
    samplesMax: maxMetrics,
  }),
  encode: (request) => encodeOtlpMessage(request, metricsRequest, countDataPoints),
  reply: (_, { contentType }) => exportReply(undefined, "rejectedDataPoints", contentType),
  beforeBody: async (request) =>
    checkOtlpCall(request, "an ExportMetricsServiceRequest", "profiles belong to /v1development/profiles"),
  addHooks: answerAsStatus,
});
