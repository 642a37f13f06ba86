import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import type { FailureCode } from "./failure-status.ts";

/** The codes of Connect errors that the server sends (https://connectrpc.com/docs/protocol#error-codes). */
export const connectCodes = [
  "invalid_argument",
  "unauthenticated",
  "permission_denied",
  "not_found",
  "already_exists",
  "resource_exhausted",
  "unimplemented",
  "internal",
  "unavailable",
] as const;
export type ConnectCode = (typeof connectCodes)[number];

/**
 * The Connect error for each failure. A profile that is too large is an invalid argument and not an
 * exhausted resource, because clients send again what was refused with 429.
 */
export const connectErrors: Readonly<
  Record<FailureCode, { readonly code: ConnectCode; readonly status: number }>
> = {
  invalid: { code: "invalid_argument", status: 400 },
  too_large: { code: "invalid_argument", status: 400 },
  unprocessable: { code: "invalid_argument", status: 400 },
  unauthenticated: { code: "unauthenticated", status: 401 },
  key_expired: { code: "unauthenticated", status: 401 },
  forbidden: { code: "permission_denied", status: 403 },
  second_factor_required: { code: "permission_denied", status: 403 },
  // Not resource_exhausted either: clients would send the same profiles again.
  quota_exceeded: { code: "permission_denied", status: 403 },
  not_found: { code: "not_found", status: 404 },
  method_not_allowed: { code: "unimplemented", status: 405 },
  conflict: { code: "already_exists", status: 409 },
  rate_limited: { code: "resource_exhausted", status: 429 },
  headers_too_large: { code: "invalid_argument", status: 431 },
  internal: { code: "internal", status: 500 },
  damaged: { code: "internal", status: 500 },
  unsupported: { code: "unimplemented", status: 415 },
  unimplemented: { code: "unimplemented", status: 501 },
  unavailable: { code: "unavailable", status: 503 },
  // Connect has no status for it: clients treat 503 as temporary.
  disk_full: { code: "unavailable", status: 503 },
};

const ConnectError = z
  .object({
    code: z.enum(connectCodes),
    message: z.string().meta({ description: "What went wrong and what to do, for people." }),
    request_id: z.string().meta({ description: "The server's log has the cause under this id." }),
  })
  .meta({
    id: "ConnectError",
    example: {
      code: "invalid_argument",
      message: "The request has no profile.",
      request_id: "5f0c3a1e9b7d2468",
    },
  });

const LabelPair = z.object({
  name: z.string().meta({ example: "service_name" }),
  value: z.string().meta({ example: "checkout" }),
});

const RawSample = z.object({
  rawProfile: z
    .string()
    .meta({ description: "Base64 of a pprof, gzipped or plain.", example: "H4sIAAAAAAAA/w==" }),
  ID: z
    .string()
    .optional()
    .meta({ description: "A UUID, not used.", example: "4ca5426c-5649-48e5-83be-793334222fdf" }),
});

const PushRequest = z
  .object({
    series: z.array(
      z.object({
        labels: z.array(LabelPair).meta({
          description:
            "`service_name` names the service, `__name__` the kind of profile (`process_cpu`, `memory`, `goroutine`, `mutex`, `block`, `wall`); `__delta__` is `false` where the counters are deltas already. Every other label becomes a tag.",
        }),
        samples: z.array(RawSample).meta({ description: "Each is one profile." }),
      }),
    ),
  })
  .meta({ id: "PushRequest" });

export const pushProfiles = endpoint({
  method: "POST",
  path: "/push.v1.PusherService/Push",
  area: "Ingestion",
  summary: "Send profiles as Grafana Alloy and newer Pyroscope SDKs do",
  description:
    "A unary call of Connect (https://connectrpc.com), as protobuf or JSON, `push.v1.PushRequest`. All profiles of the request are stored, or none is and the error names the one that was refused. Only a snapshot of counters that a second process sends as the same series is refused by itself: the error names it, and the other profiles are stored. The answer comes after they are safely on disk. Sending the request again stores nothing twice.",
  auth: "ingestKey",
  upload: {
    description: "The message, gzipped, zstd or plain.",
    contentTypes: ["application/proto", "application/json"],
    schema: PushRequest,
  },
  reply: z.object({}).meta({ description: "Empty." }),
  downloads: [
    { contentType: "application/proto", description: "Empty." },
    {
      contentType: "application/grpc",
      description:
        "Every call of gRPC is refused: empty, with the status and the reason in the headers `grpc-status` and `grpc-message`.",
    },
  ],
  failures: ["invalid", "forbidden", "unsupported", "rate_limited", "unimplemented"],
  failureReply: ConnectError,
});
