import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** The trace of the request; null without `TRACES_URL`, and for calls that are not traced. */
    trace: RequestTrace | null;
  }
}

/** The span of a request that is being answered. */
export interface RequestTrace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Adds a finished span of a part of the request. @param startMs by the clock of `performance.now` */
  readonly addPart: (name: string, startMs: number, hasFailed: boolean) => void;
}

const current = new AsyncLocalStorage<RequestTrace>();

/** Runs a part of a request, so that its queries and log lines belong to the trace of the request. */
export function withTrace<T>({ trace }: FastifyRequest, run: () => T): T {
  return trace === null ? run() : current.run(trace, run);
}

/** Notes a query that has ended, if a request that is traced made it. */
export function traceQuery(name: string, startMs: number, hasFailed: boolean): void {
  current.getStore()?.addPart(name, startMs, hasFailed);
}

/** The id of the trace as a field of a log line or a reply. */
export function traceField(trace = current.getStore() ?? null): { readonly trace_id?: string } {
  return trace === null ? {} : { trace_id: trace.traceId };
}
