import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyRequest } from "fastify";

/** Where an event came from. */
export interface RequestOrigin {
  readonly address: string;
  readonly userAgent: string | null;
  readonly requestId: string;
}

const current = new AsyncLocalStorage<RequestOrigin>();
const userAgentLengthMax = 300;

/** Runs a part of a request, so that events in it have its origin. */
export function withOrigin<T>(request: FastifyRequest, run: () => T): T {
  const userAgent = storedUserAgent(request.headers["user-agent"]);
  return current.run({ address: request.ip, userAgent, requestId: request.id }, run);
}

/** Undefined outside of requests. */
export function currentOrigin(): RequestOrigin | undefined {
  return current.getStore();
}

/** The `User-Agent` header as sessions and entries store it. PostgreSQL refuses NUL. */
export function storedUserAgent(header: string | undefined): string | null {
  return header?.slice(0, userAgentLengthMax).replaceAll("\0", "") ?? null;
}
