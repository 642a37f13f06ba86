import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { bearerOf } from "#auth/credentials.ts";
import type { Context } from "#context";

const loopback = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);
/** A foreign web page whose name resolves to this machine (DNS rebinding) still sends that name as `Host`. */
const loopbackHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;
const proxyHeader = /^(x-forwarded(-.*)?|forwarded|via|x-real-ip|cf-connecting-ip|true-client-ip)$/;

/**
 * Whether the caller operates this server: if METRICS_TOKEN is set, callers that send it; else callers on this machine that
 * connect to a loopback address and not through a proxy.
 */
export function maySeeDetails({ config }: Context, request: FastifyRequest): boolean {
  if (config.metricsToken !== undefined) {
    const given = bearerOf(request.headers);
    return given !== undefined && isSame(given, config.metricsToken);
  }
  return (
    loopback.has(request.socket.remoteAddress ?? "") &&
    loopbackHost.test(request.headers.host ?? "") &&
    // nginx with default settings sends no proxy header and this machine as `Host`, but uses HTTP/1.0.
    request.raw.httpVersion !== "1.0" &&
    !Object.keys(request.headers).some((name) => proxyHeader.test(name))
  );
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHash("sha256").update(text).digest());
  return timingSafeEqual(left as Buffer, right as Buffer);
}
