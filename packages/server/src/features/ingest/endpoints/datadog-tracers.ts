import { ingestDatadog, readDatadogAgent, sendToDatadogAgent } from "@flamekeep/contract";
import { endpointOf } from "@flamekeep/contract/schemas";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";

const droppedPaths = [
  "/v0.3/traces",
  "/v0.4/traces",
  "/v0.5/traces",
  "/v0.6/stats",
  "/v0.7/config",
  "/telemetry/proxy/api/v2/apmtelemetry",
];

/** Go's tracer sends with POST, other tracers with PUT. Go asks for its configuration with GET and a body. */
const methods = ["POST", "PUT", "GET"] as const;

/** Datadog's agent takes requests of at most 25 MB. */
const drainedBytesMax = 25_000_000;

/**
 * Answers what Datadog's libraries send to their agent besides profiles, so that they report no errors. They send no key to an agent:
 * nothing is stored, and nothing said. The answer comes before the body. Node drops the body unread; after a larger one than an agent
 * takes, or one of unknown length, the connection is closed instead.
 */
export function answerDatadogTracers(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, endpointOf(readDatadogAgent), async () => ({ endpoints: [ingestDatadog.path] }));
  const dropped = { rate_by_service: {} };
  for (const path of droppedPaths)
    for (const method of methods)
      serve(app, ctx, { ...endpointOf(sendToDatadogAgent), method, path }, async () => dropped, {
        dropsBody: true,
        beforeBody: async ({ headers }, reply) => {
          const isOfUnknownLength = headers["transfer-encoding"] !== undefined;
          const isTooLong = Number(headers["content-length"] ?? 0) > drainedBytesMax;
          if (isOfUnknownLength || isTooLong) reply.header("connection", "close");
          return reply.send(dropped);
        },
      });
}
