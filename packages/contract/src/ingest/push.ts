import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import * as calls from "./calls.ts";
import { connectCodes } from "./calls.ts";

export const ConnectError = z
  .object({
    code: z.enum(connectCodes),
    message: z.string().meta({ description: "What went wrong and what to do, as text for users." }),
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

const labelsText = (service: string) =>
  `${service} names the service, \`__name__\` the kind of profile (\`process_cpu\`, \`memory\`, \`goroutine\`, \`mutex\`, \`block\`, \`wall\`); \`__delta__\` is \`false\` where the counters are deltas already. Every other label becomes a tag.`;

const requestWith = (labels: z.ZodType) =>
  z.object({
    series: z.array(
      z.object({ labels, samples: z.array(RawSample).meta({ description: "Each is one profile." }) }),
    ),
  });

const PushRequest = requestWith(z.array(LabelPair).meta({ description: labelsText("`service_name`") })).meta({
  id: "PushRequest",
});

const WriteRawRequest = requestWith(
  z.object({ labels: z.array(LabelPair) }).meta({
    description: labelsText(
      "The first present of `service_name`, `service`, `app`, `job`, `container` and `comm`",
    ),
  }),
).meta({ id: "WriteRawRequest" });

const GatewayError = z
  .object({ code: z.int(), message: z.string(), details: z.array(z.unknown()) })
  .meta({ id: "GatewayError", description: "At `/api/profiles/writeraw`: the status as a number of gRPC." });

const endpoint = endpointIn("Ingestion");

const downloads = [
  { contentType: "application/proto", description: "Empty." },
  {
    contentType: "application/grpc",
    description:
      "This port rejects gRPC; use `GRPC_PORT`. Empty body, with the status and the reason in the headers `grpc-status` and `grpc-message`.",
  },
];
const failures = ["invalid", "forbidden", "unsupported", "rate_limited", "unimplemented"] as const;
const stored =
  "Either all profiles of the request are stored, or none, and the error names the rejected one. Exception: a counter snapshot from a second process in the same series is rejected alone, and the error names it. The reply is sent after the profiles are synced to disk. Resending the request duplicates nothing.";

function seriesCall<C extends typeof calls.pushProfiles | typeof calls.writeRawProfiles>(
  call: C,
  parts: { summary: string; description: string; schema: z.ZodType; failureReply: z.ZodType },
) {
  const { summary, description, schema, failureReply } = parts;
  return endpoint(call, {
    summary,
    description: `${description} ${stored}`,
    upload: {
      description: "The message, gzipped, zstd or plain.",
      contentTypes: ["application/proto", "application/json"],
      schema,
    },
    reply: z.object({}).meta({ description: "Empty." }),
    downloads,
    failures,
    failureReply,
  });
}

export const pushEndpoints = [
  seriesCall(calls.pushProfiles, {
    summary: "Send profiles as Grafana Alloy and newer Pyroscope SDKs do",
    description:
      "A unary call of Connect (https://connectrpc.com), as protobuf or JSON, `push.v1.PushRequest`.",
    schema: PushRequest,
    failureReply: ConnectError,
  }),
  seriesCall(calls.writeRawProfiles, {
    summary: "Send profiles as to Parca",
    description:
      "A unary call of Connect, as protobuf or JSON, `parca.profilestore.v1alpha1.WriteRawRequest`; also served at Parca's `/api/profiles/writeraw`.",
    schema: WriteRawRequest,
    failureReply: z.union([ConnectError, GatewayError]),
  }),
] as const;
