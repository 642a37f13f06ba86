import rateLimit, { type RateLimitOptions } from "@fastify/rate-limit";
import { minuteMs } from "@flamekeep/contract/durations";
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from "fastify";
import { rateLimited } from "#failure";
import { networkOf } from "#net/network.ts";
import { CallCounts } from "./call-counts.ts";

/**
 * Routes opt in through `rate` of `serve`. Requests are counted per key, per user, or per address if the caller is unknown. Returns the
 * counts, for servers that share them.
 */
export async function limitRates(app: FastifyInstance): Promise<CallCounts> {
  const counts = new CallCounts(() => performance.now());
  await app.register(rateLimit, {
    global: false,
    store: class {
      readonly child = (limit: object) => counts.storeOf((limit as RateLimitOptions).groupId ?? "");
      readonly incr = counts.storeOf("").incr;
    },
    keyGenerator: callerOf,
    errorResponseBuilder: (_request, { ttl }) => {
      const seconds = Math.max(1, Math.ceil(ttl / 1000));
      return rateLimited(`Too many requests. Try again in ${seconds} s.`, seconds);
    },
  });
  return counts;
}

/** A bound on calls per minute and caller, at all servers of an installation together: they count under its name. Routes that share one bound are counted together. */
export function perMinute(app: FastifyInstance, name: string, callsMax: number): onRequestAsyncHookHandler {
  return app.rateLimit({ groupId: name, max: callsMax, timeWindow: minuteMs });
}

function callerOf(request: FastifyRequest): string {
  const { actor } = request;
  if (actor?.kind === "key") return `key:${actor.keyId}`;
  if (actor?.kind === "user") return `user:${actor.userId}`;
  return `address:${networkOf(request.ip)}`;
}
