import type { FailureCode } from "@flamekeep/contract";

/** Why an upload is refused, as the sender reads it. Plain data: it crosses from worker to main thread. */
export interface Refusal {
  readonly code: FailureCode;
  /** Says what to change. */
  readonly message: string;
  /** Which limit or rule refused, for the counters. */
  readonly reason: string;
  /** Where time alone helps. */
  readonly retryAfterSeconds?: number;
}

export interface Refused {
  readonly ok: false;
  readonly refusal: Refusal;
}

export type Outcome<T> = { readonly ok: true; readonly value: T } | Refused;

export function accepted<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function refused(code: FailureCode, reason: string, message: string): Refused {
  return { ok: false, refusal: { code, reason, message } };
}
