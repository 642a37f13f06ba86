import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import * as calls from "./calls.ts";

const RpcStatus = z
  .object({
    code: z.int().meta({ description: "The status code of gRPC." }),
    message: z.string().meta({ description: "What went wrong and what to do, as text for users." }),
    details: z.array(z.unknown()).meta({ description: "Empty." }),
  })
  .meta({
    id: "RpcStatus",
    example: { code: 3, message: "A sample names the stack 9, and there are 5.", details: [] },
  });

const ExportProfilesServiceResponse = z
  .object({
    partialSuccess: z
      .object({
        rejectedProfiles: z.string().meta({ description: "A number, as text.", example: "0" }),
        errorMessage: z.string().meta({
          description: "Why profiles were rejected, and advice about others.",
          example: "The profile is from 2019-01-01T00:00:00.000Z, and only 30 days are kept.",
        }),
      })
      .optional()
      .meta({ description: "Absent if there is nothing to say." }),
  })
  .meta({ id: "ExportProfilesServiceResponse" });

const ExportProfilesServiceRequest = z
  .object({
    resourceProfiles: z.array(z.record(z.string(), z.unknown())).meta({
      description: "The profiles, by resource and scope.",
      example: [{ resource: { attributes: [{ key: "service.name", value: { stringValue: "checkout" } }] } }],
    }),
    dictionary: z.record(z.string(), z.unknown()).meta({
      description: "Stacks, functions and other shared tables.",
      example: { stringTable: [""] },
    }),
  })
  .meta({ id: "ExportProfilesServiceRequest" });

const attributes = [{ key: "service.name", value: { stringValue: "checkout" } }];

const ExportTraceServiceRequest = z
  .object({
    resourceSpans: z.array(z.record(z.string(), z.unknown())).meta({
      description: "The spans, by resource and scope.",
      example: [{ resource: { attributes }, scopeSpans: [] }],
    }),
  })
  .meta({ id: "ExportTraceServiceRequest" });

const ExportTraceServiceResponse = z
  .object({
    partialSuccess: z
      .object({
        rejectedSpans: z.string().meta({ description: "A number, as text.", example: "1" }),
        errorMessage: z.string().meta({
          description: "Why the first of them was rejected.",
          example: "A span ends before it starts: correct its end_time_unix_nano.",
        }),
      })
      .optional()
      .meta({ description: "Absent if no span was rejected." }),
  })
  .meta({ id: "ExportTraceServiceResponse" });

const ExportMetricsServiceRequest = z
  .object({
    resourceMetrics: z.array(z.record(z.string(), z.unknown())).meta({
      description: "The metrics, by resource and scope.",
      example: [{ resource: { attributes }, scopeMetrics: [] }],
    }),
  })
  .meta({ id: "ExportMetricsServiceRequest" });

const ExportMetricsServiceResponse = z
  .object({
    partialSuccess: z
      .object({
        rejectedDataPoints: z.string().meta({ description: "A number, as text.", example: "1" }),
        errorMessage: z.string().meta({
          description: "Why the first of them was rejected.",
          example: "A histogram has no time: set its time_unix_nano.",
        }),
      })
      .optional()
      .meta({ description: "Absent if no data point was rejected." }),
  })
  .meta({ id: "ExportMetricsServiceResponse" });

const protobuf = ["application/x-protobuf", "application/protobuf"];
const failures = ["forbidden", "quota_exceeded", "too_large", "unsupported", "rate_limited"] as const;
const endpoint = endpointIn("Ingestion");

/** Forms that the calls of all signals share. */
const forms = (request: z.ZodType, replyName: string) => ({
  upload: {
    description: "The message, gzipped, zstd or plain.",
    contentTypes: [...protobuf, "application/json"],
    schema: request,
  },
  downloads: protobuf.map((contentType) => ({
    contentType,
    description: `${replyName}, for requests in protobuf.`,
  })),
  failureReply: RpcStatus,
  failureContentTypes: protobuf,
});

export const otlpEndpoints = [
  endpoint(calls.ingestOtlpProfiles, {
    summary: "Send profiles as OpenTelemetry does",
    description:
      "OTLP over HTTP, `ExportProfilesServiceRequest`, as protobuf or JSON, of version 1.8 of the protocol or later; also at `/v1/profiles`. The samples of each service become a profile. The service is `service.name` of the resource or of the sample, else `process.executable.name`. Other attributes of resource and scope become tags, attributes of samples labels. `partialSuccess` counts and explains rejected profiles; the others are stored. If all are rejected, the request fails. The reply is sent after the profiles are synced to disk. Resending the request duplicates nothing.",
    ...forms(ExportProfilesServiceRequest, "ExportProfilesServiceResponse"),
    reply: ExportProfilesServiceResponse,
    failures: [...failures, "unimplemented"],
  }),
  endpoint(calls.ingestOtlpTraces, {
    summary: "Send spans as OpenTelemetry does",
    description:
      "OTLP over HTTP, `ExportTraceServiceRequest`, as protobuf or JSON. Spans of the kind SERVER with the attributes of HTTP become HTTP metrics of the service in the resource's `service.name`. All other spans are accepted and dropped. `partialSuccess` counts and explains rejected spans; the others are stored. The reply is sent after the data is synced to disk. Resending the request duplicates nothing.",
    ...forms(ExportTraceServiceRequest, "ExportTraceServiceResponse"),
    reply: ExportTraceServiceResponse,
    failures,
  }),
  endpoint(calls.ingestOtlpMetrics, {
    summary: "Send metrics as OpenTelemetry does",
    description:
      "OTLP over HTTP, `ExportMetricsServiceRequest`, as protobuf or JSON. Histograms of HTTP servers become HTTP metrics of services that send no spans, with durations spread evenly within each bucket. All other metrics are accepted and dropped. `partialSuccess` counts and explains rejected data points; the others are stored. The reply is sent after the data is synced to disk. Resending the request duplicates nothing.",
    ...forms(ExportMetricsServiceRequest, "ExportMetricsServiceResponse"),
    reply: ExportMetricsServiceResponse,
    failures,
  }),
] as const;
