import rateLimit from "@fastify/rate-limit";
import { minuteMs } from "@flamekeep/contract/durations";
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from "fastify";
import { rateLimited } from "#failure";
import { networkOf } from "#net/network.ts";

/** Routes opt in through `rate` of `serve`. Requests are counted per key, per user, or per address if the caller is unknown. */
export async function limitRates(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    cache: 10_000,
    keyGenerator: callerOf,
    errorResponseBuilder: (_request, { ttl }) => {
      const seconds = Math.max(1, Math.ceil(ttl / 1000));
      return rateLimited(`Too many requests. Try again in ${seconds} s.`, seconds);
    },
  });
}

/** A bound on calls per minute and caller. Routes that share one bound are counted together. */
export function perMinute(app: FastifyInstance, callsMax: number): onRequestAsyncHookHandler {
  return app.rateLimit({ max: callsMax, timeWindow: minuteMs });
}

function callerOf(request: FastifyRequest): string {
  const { actor } = request;
  if (actor?.kind === "key") return `key:${actor.keyId}`;
  if (actor?.kind === "user") return `user:${actor.userId}`;
  return `address:${networkOf(request.ip)}`;
}
