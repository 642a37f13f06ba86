import { z } from "zod";
import { ErrorReply, endpointIn } from "#base/endpoint.ts";
import * as calls from "./calls.ts";

const JsonRpcFailure = z
  .object({
    jsonrpc: z.literal("2.0"),
    id: z.union([z.string(), z.number(), z.null()]).optional(),
    error: z.looseObject({ code: z.int().meta({ example: -32600 }), message: z.string() }),
  })
  .meta({ id: "JsonRpcFailure" });

const endpoint = endpointIn("Agents");

export const agentEndpoints = [
  /** The Model Context Protocol: coding agents list its tools and call them. */
  endpoint(calls.modelContextProtocol, {
    summary: "Model Context Protocol, for coding agents",
    description:
      "Streamable HTTP without sessions: each request is JSON-RPC 2.0, such as `tools/list` and `tools/call`. The tools list services and profiles, print the functions with the most time or memory and flame graphs as text, compare two ranges, and list alerts, deploys and analyses. With a key of the scope `read_write`, they also start analyses, mark advice and comment on incidents.",
    isOpenToDemo: true,
    downloads: [
      {
        contentType: "text/event-stream",
        description: "The same response as an event, for earlier revisions of the protocol.",
      },
    ],
    failureReply: z.union([ErrorReply, JsonRpcFailure]),
    failures: ["rate_limited"],
    body: z.unknown().meta({
      description: "A JSON-RPC 2.0 request.",
      example: { jsonrpc: "2.0", id: 1, method: "tools/list" },
    }),
    reply: z.unknown().meta({
      description: "A JSON-RPC 2.0 response.",
      example: { jsonrpc: "2.0", id: 1, result: { tools: [] } },
    }),
  }),
] as const;
