import { minuteMs } from "@flamekeep/contract/durations";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "#context";
import { SampledLog } from "#telemetry/sampled-log.ts";

const flushMs = minuteMs;

interface Entry {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly orgId: string | undefined;
}

/** Counts 4xx replies by route and code, and logs a sample of them: one sender can cause thousands per second. */
export function openRefusals(
  app: FastifyInstance,
  ctx: Context,
): (request: FastifyRequest, reply: FastifyReply, entry: Entry) => void {
  const sampled = new SampledLog((entry, message) => ctx.log.info(entry, message));
  const timer = setInterval(() => sampled.flush(), flushMs);
  timer.unref();
  app.addHook("onClose", async () => {
    clearInterval(timer);
    sampled.flush();
  });
  return (request, reply, entry) => {
    const { ms: _, ...kind } = { ...entry, code: reply.failureCode ?? "none" };
    const { method, route, code, orgId } = kind;
    const help = "Requests answered with a status of 4xx, by route and code.";
    ctx.metrics.count("flamekeep_http_refusals_total", help, { method, route, code });
    const key = JSON.stringify([method, route, code, orgId]);
    sampled.add(key, kind, () => request.log.info({ ...entry, code }, "request"));
  };
}
