import { ingestDatadog, readDatadogAgent, sendToDatadogAgent } from "@flamekeep/contract";
import { endpointOf } from "@flamekeep/contract/schemas";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import { takeKeyOfDatadog } from "./datadog.ts";

const droppedPaths = [
  "/v0.3/traces",
  "/v0.4/traces",
  "/v0.5/traces",
  "/v0.6/stats",
  "/v0.7/config",
  "/telemetry/proxy/api/v2/apmtelemetry",
];

/** Go's tracer sends with POST, other tracers with PUT. */
const methods = ["POST", "PUT"] as const;

/**
 * Answers what Datadog's libraries send to their agent besides profiles, so that they report no errors. The answer comes before the
 * body, which is not read.
 */
export function answerDatadogTracers(app: FastifyInstance, ctx: Context): void {
  app.register((scope, _options, done) => {
    takeKeyOfDatadog(scope);
    serve(scope, ctx, endpointOf(readDatadogAgent), async () => ({ endpoints: [ingestDatadog.path] }));
    const dropped = { rate_by_service: {} };
    for (const path of droppedPaths)
      for (const method of methods)
        serve(scope, ctx, { ...endpointOf(sendToDatadogAgent), method, path }, async () => dropped, {
          beforeBody: async (_request, reply) => reply.send(dropped),
        });
    done();
  });
}
