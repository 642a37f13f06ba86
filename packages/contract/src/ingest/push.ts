import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import * as calls from "./calls.ts";
import { connectCodes } from "./calls.ts";

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

const endpoint = endpointIn("Ingestion");

export const pushEndpoints = [
  endpoint(calls.pushProfiles, {
    summary: "Send profiles as Grafana Alloy and newer Pyroscope SDKs do",
    description:
      "A unary call of Connect (https://connectrpc.com), as protobuf or JSON, `push.v1.PushRequest`. All profiles of the request are stored, or none is and the error names the one that was refused. Only a snapshot of counters that a second process sends as the same series is refused by itself: the error names it, and the other profiles are stored. The answer comes after they are safely on disk. Sending the request again stores nothing twice.",
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
  }),
] as const;
