import type { FailureCode } from "@flamekeep/contract";
import { Failure } from "#failure";
import type { Encoded } from "./encode/encoded.ts";

/** Why an upload is refused, as the sender reads it. Plain data: it crosses from worker to main thread. */
export interface Refusal {
  readonly code: FailureCode;
  /** Says what to change. */
  readonly message: string;
  /** Which limit or rule refused, for the counters. */
  readonly reason: string;
}

export interface Refused {
  readonly ok: false;
  readonly refusal: Refusal;
}

export type Outcome<T> = { readonly ok: true; readonly value: T } | Refused;

export function accepted<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function refused(code: FailureCode, reason: string, message: string): Outcome<never> {
  return { ok: false, refusal: { code, reason, message } };
}

/**
 * The error for a request that was not stored completely: preferably a failure after which the sender retries, otherwise the
 * refusal with the place of its profile in the request.
 */
export function requestFailure(
  encoded: readonly Encoded[],
  results: readonly PromiseSettledResult<unknown>[],
): unknown {
  const failed = results.flatMap((result, i) =>
    result.status === "rejected" ? [{ error: result.reason as unknown, place: encoded[i]?.place }] : [],
  );
  const { error, place } = failed.find((failure) => !isRefusal(failure.error)) ?? failed[0]!;
  if (place === undefined || !isRefusal(error)) return error;
  const message = `${place}: ${error.message} Profiles of the request to which this does not apply were stored.`;
  return new Failure(error.code, message, { cause: error });
}

function isRefusal(error: unknown): error is Failure {
  return error instanceof Failure && error.code === "unprocessable";
}
