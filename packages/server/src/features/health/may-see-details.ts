import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Context } from "#context";
import { bearerOf } from "#http/credentials.ts";

const loopback = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);

/** Whether the caller operates this server: with METRICS_TOKEN set its bearer, else this very machine and no proxy on it. */
export function maySeeDetails({ config }: Context, request: FastifyRequest): boolean {
  if (config.metricsToken !== undefined) {
    const given = bearerOf(request.headers);
    return given !== undefined && isSame(given, config.metricsToken);
  }
  const isForwarded = ["x-forwarded-for", "forwarded", "x-real-ip"].some((name) => name in request.headers);
  return !isForwarded && loopback.has(request.socket.remoteAddress ?? "");
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(left as Buffer, right as Buffer);
}
