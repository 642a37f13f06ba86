import { z } from "zod";
import { ErrorReply, endpointIn, failureCodes } from "#base/endpoint.ts";
import type { FailureCode } from "#base/failure-status.ts";
import { limits } from "#base/limits.ts";
import { Instant } from "#base/moments.ts";
import { ProfileType, SentProfileType } from "#base/profile-type-schemas.ts";
import { impossibleTime } from "#base/time.ts";
import { Count, ProfileId, SampleCount, ServiceName } from "#base/values.ts";
import * as calls from "./calls.ts";

const refused = [
  "forbidden",
  "quota_exceeded",
  "too_large",
  "unprocessable",
  "rate_limited",
  "disk_full",
] as const;

const Ignored = z
  .array(
    z.object({
      parameter: z
        .string()
        .meta({ description: `Its first ${limits.ignoredNameLengthMax} characters.`, example: "region" }),
      hint: z.string().nullable().meta({
        description: "Suggested parameter.",
        example: "Send tag.region to add a tag.",
      }),
    }),
  )
  .max(limits.ignoredParametersMax)
  .meta({
    description: `Ignored URL parameters, at most ${limits.ignoredParametersMax}; empty if all were used.`,
    example: [],
  });
export type Ignored = z.output<typeof Ignored>;

const IngestedProfile = z
  .object({
    profile_id: ProfileId,
    service: ServiceName,
    type: ProfileType,
    started_at: Instant,
    sample_count: SampleCount,
    also_listed: z
      .array(z.object({ type: ProfileType, profile_id: ProfileId }))
      .optional()
      .meta({
        description:
          "Further types in the same upload, with their profile IDs; absent without any. Some profilers send CPU time, allocations and more in one file.",
        example: [{ type: "memory", profile_id: "8d2f6a917be52d8e4460b7c9691f2f00" }],
      }),
    duplicate: z
      .boolean()
      .meta({ description: "True if the same profile was stored before.", example: false }),
    trimmed: z
      .record(z.string(), z.number())
      .meta({ description: "Items dropped by limits; empty if none.", example: {} }),
    ignored: Ignored,
    recognized_as: z.string().optional().meta({
      description: "The format of a file; absent for uploads without a file name.",
      example: "a speedscope file",
    }),
    notice: z.string().optional().meta({
      description: "Advice for the sender; absent without any.",
      example:
        "Two processes send as one series: add tag.instance=... with a different value for each process.",
    }),
  })
  .meta({ id: "IngestedProfile" });
export type IngestedProfile = z.output<typeof IngestedProfile>;

const FileName = z.string().meta({ description: "As the request names it.", example: "checkout.pb.gz" });

const FileResult = z
  .discriminatedUnion("status", [
    z.object({ file: FileName, status: z.literal(["accepted", "duplicate"]), profile: IngestedProfile }),
    z.object({
      file: FileName,
      status: z.literal("refused"),
      code: z.enum(failureCodes as [FailureCode, ...FailureCode[]]).meta({ example: "unprocessable" }),
      error: z.string().meta({ description: "What is wrong with the file and what to do." }),
    }),
  ])
  .meta({ id: "FileResult" });

const IngestedFiles = z
  .object({
    accepted: Count.meta({ example: 2 }),
    duplicate: Count.meta({ example: 0 }),
    refused: Count.meta({ example: 1 }),
    files: z.array(FileResult).max(limits.uploadFilesMax).meta({ description: "In the order sent." }),
  })
  .meta({ id: "IngestedFiles" });
export type IngestedFiles = z.output<typeof IngestedFiles>;

/** A parameter of the URL: a repeated one is a list. */
function onceOr(name: string, required: string) {
  return {
    error: ({ input }: { readonly input?: unknown }) =>
      Array.isArray(input) ? `${name} is given ${input.length} times in the URL: keep one` : required,
  };
}

const serviceRequired = "service is required: add ?service=name-of-your-service to the URL";

/** Characters and length are checked after normalization, in the same way for all endpoints. */
const IngestService = z.string(onceOr("service", serviceRequired)).trim().min(1, serviceRequired).meta({
  description: "Name of the sending service.",
  example: "checkout",
  maxLength: limits.serviceNameLengthMax,
});

const PyroscopeError = ErrorReply.extend({
  message: z.string().meta({ description: "The same as `error`: Pyroscope's SDKs log this one." }),
}).meta({
  id: "PyroscopeError",
  example: {
    error: "name is required: the application's name with its labels in braces",
    code: "invalid",
    request_id: "5f0c3a1e9b7d2468",
    message: "name is required: the application's name with its labels in braces",
  },
});

/** One HTTP request as a service reports it. */
export const HttpMetric = z
  .object({
    timestamp: z
      .union([Instant, z.number()], {
        error: ({ input }) =>
          impossibleTime(String(input)) ?? "must be ISO 8601 (2026-11-20T10:00:00.120Z) or Unix milliseconds",
      })
      .meta({ description: "ISO 8601, or Unix milliseconds.", example: "2026-11-20T10:00:00.120Z" }),
    duration: z
      .number()
      .nonnegative("must not be negative: send how long the request took, in seconds")
      .max(limits.httpDurationSecondsMax, {
        error: `must be at most ${limits.httpDurationSecondsMax} seconds, a week: send seconds, not milliseconds or nanoseconds`,
      })
      .meta({ description: "Seconds, at most a week.", example: 0.0421 }),
    status_code: z.int().min(100).max(599).meta({ example: 200 }),
    method: z.string().min(1).max(limits.httpMethodLengthMax).meta({ example: "GET" }),
    path: z.string().min(1).max(limits.httpPathLengthMax).meta({ example: "/orders/{id}" }),
    request_id: z.string().max(200).default("").meta({ example: "req-7f3a" }),
  })
  .meta({ id: "HttpMetric" });
export type HttpMetric = z.output<typeof HttpMetric>;

const ProfileQuery = z
  .looseObject({
    service: IngestService,
    type: SentProfileType.optional(),
    started_at: z.string().optional().meta({
      description: "ISO 8601 or Unix milliseconds; else the profile's own time, else now.",
      example: "2026-11-20T10:00:00Z",
    }),
    delta: z.enum(["true", "false"], { error: "delta must be true or false, or left out" }).optional().meta({
      description:
        "`true`: counters cover the time since the previous profile, not since the process started.",
      example: "true",
    }),
    file: z
      .string()
      .max(limits.fileNameLengthMax, `file must have at most ${limits.fileNameLengthMax} characters`)
      .optional()
      .meta({
        description: "Name of the file: `mutex.pprof` decides the type where the content does not.",
        example: "mutex.pprof",
      }),
  })
  .meta({ description: "`tag.NAME=value` adds a tag, for example `tag.region=eu`." });

const endpoint = endpointIn("Ingestion");

export const ingestEndpoints = [
  endpoint(calls.ingestProfile, {
    summary: "Send one profile, or several files",
    description: `The body is a profile, gzipped, zstd or plain; its format is recognized by its first bytes. The reply is sent after the profile is synced to disk. Resending the same profile does not duplicate it. A form (\`multipart/form-data\`) may have up to ${limits.uploadFilesMax} files, each a part with a file name. Parts without one are parameters, such as \`service\`, and are used unless the URL has them. Each file has its result, and a refused one does not keep the others from being stored: then the status is still 200.`,
    query: ProfileQuery,
    upload: {
      description: "The profile, or a form of files.",
      contentTypes: ["application/octet-stream", "multipart/form-data"],
    },
    reply: z.union([IngestedProfile, IngestedFiles]),
    failures: [...refused],
  }),
  endpoint(calls.openProfileFile, {
    summary: "Open a profile file in the browser",
    description:
      "As the call that sends one profile with an API key, for a person who is signed in. A file from before the days that are kept is stored with the current time, and `notice` says so.",
    query: ProfileQuery,
    upload: { description: "The file.", contentTypes: ["application/octet-stream"] },
    reply: IngestedProfile,
    failures: [...refused],
  }),
  endpoint(calls.ingestPyroscope, {
    summary: "Send one profile as Pyroscope's SDKs do",
    query: z.looseObject({
      name: z
        .string(onceOr("name", "name is required: the application's name with its labels in braces"))
        .min(1)
        .meta({ description: "Service, and labels in braces.", example: "checkout{region=eu}" }),
      from: z
        .string()
        .optional()
        .meta({ description: "Start: Unix seconds, milliseconds, microseconds or nanoseconds." }),
      until: z.string().optional().meta({ description: "End, as `from`." }),
      sampleRate: z.string().optional().meta({ description: "Samples per second." }),
      spyName: z
        .string()
        .optional()
        .meta({ description: "The program that recorded the profile, for example `gospy`." }),
      units: z.string().optional().meta({ description: "Unit of the values, if the profile has none." }),
      aggregationType: z
        .string()
        .optional()
        .meta({ description: "`sum` or `average`, if the profile does not say." }),
      format: z
        .string()
        .optional()
        .meta({ description: "`pprof` if the body is the profile itself and not a multipart form." }),
    }),
    upload: {
      description: "Multipart with the part `profile` (and `sample_type_config`), or the pprof itself.",
      contentTypes: ["multipart/form-data", "application/octet-stream"],
    },
    reply: z.object({}).meta({ description: "Empty: the SDK only reads the status." }),
    failures: [...refused],
    failureReply: PyroscopeError,
  }),
  endpoint(calls.ingestDatadog, {
    summary: "Send profiles as Datadog's libraries do",
    description:
      "The form that Datadog's libraries send to their agent; also at `/api/v2/profile`, where they send without an agent. The key may be in the header `DD-API-KEY`. Each attachment whose name ends with `.pprof` or `.jfr` is a profile, other attachments are ignored. Either all profiles of the request are stored, or none, and the error names the rejected attachment. Resending the request duplicates nothing.",
    upload: {
      description:
        "Multipart with the part `event` (`event.json`) and the attachments, each compressed with gzip, zstd or LZ4, or plain. `tags_profiler` of `event.json` names the service.",
      contentTypes: ["multipart/form-data"],
    },
    reply: z.object({}).meta({ description: "Empty: the libraries only read the status." }),
    failures: [...refused],
  }),
  endpoint(calls.readDatadogAgent, {
    summary: "Features offered to Datadog's tracers",
    description: "As Datadog's agent answers: profiles, and nothing else. Needs no key, as there.",
    reply: z.object({ endpoints: z.array(z.string()).meta({ example: ["/profiling/v1/input"] }) }),
  }),
  endpoint(calls.sendToDatadogAgent, {
    summary: "Other data of Datadog's tracers",
    description:
      "Accepted without a key, so that tracers do not report errors, and dropped unread; also at `/v0.3/traces`, `/v0.5/traces`, `/v0.6/stats`, `/v0.7/config` and `/telemetry/proxy/api/v2/apmtelemetry`.",
    upload: { description: "Anything.", contentTypes: ["application/msgpack", "application/json"] },
    reply: z.object({ rate_by_service: z.record(z.string(), z.number()).meta({ example: {} }) }),
  }),
  endpoint(calls.ingestHttpMetrics, {
    summary: "Send a batch of HTTP metrics",
    description: "A JSON array of HttpMetric, or one HttpMetric per line (NDJSON).",
    query: z.object({ service: IngestService }),
    upload: {
      description: "The batch.",
      contentTypes: ["application/json", "application/x-ndjson"],
      schema: z.array(HttpMetric),
    },
    reply: z.object({
      profile_id: ProfileId,
      accepted: Count.meta({ example: 120 }),
      duplicate: z.boolean().meta({ example: false }),
      ignored: Ignored,
    }),
    failures: [...refused],
  }),
] as const;
