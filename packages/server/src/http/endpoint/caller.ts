import type { IncomingHttpHeaders } from "node:http";
import type { FastifyRequest } from "fastify";
import type { SessionOrigin } from "#auth/sessions/session.ts";
import type { Log } from "#context";

/** The facts of a request that an operation may need in addition to its input. */
export interface Caller extends SessionOrigin {
  /** The address may belong to a proxy that many people share, so that it is not stored as a known address. */
  readonly isAddressShared: boolean;
  readonly headers: IncomingHttpHeaders;
  /** Its lines have the id of the request. */
  readonly log: Log;
}

const forwardingHeaders = ["x-forwarded-for", "forwarded", "x-real-ip", "via"];

/** An untrusted proxy hides the address of the caller: `address` is then the proxy's. */
export function callerOf({ headers, ip, socket, log }: FastifyRequest): Caller {
  const isForwarded = forwardingHeaders.some((name) => name in headers);
  return {
    address: ip,
    isAddressShared: isForwarded && ip === socket.remoteAddress,
    userAgent: headers["user-agent"],
    headers,
    log,
  };
}
