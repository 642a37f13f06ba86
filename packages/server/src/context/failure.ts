import { type FailureCode, failureStatus } from "@flamekeep/contract/failure-status";

interface FailureOptions {
  readonly cause?: unknown;
  /** Sent as Retry-After. */
  readonly retryAfterSeconds?: number | undefined;
}

/** A failure that is reported to the caller: `message` is shown to people unchanged. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly code: FailureCode;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: FailureCode, message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return failureStatus[this.code];
  }
}

/** Whether the same, unchanged, may be taken later: its cause is not what was sent. */
export function isPassing(error: unknown): error is Failure {
  return error instanceof Failure && (error.status >= 500 || error.code === "rate_limited");
}

type Headers = Readonly<Record<string, string>>;

const headersOfErrors = new WeakMap<object, Headers>();

/** Gives the reply to an error headers, such as a cookie that ends with it, whatever the error is. Returns the error. */
export function withHeaders(error: unknown, headers: Headers): unknown {
  if (error instanceof Error) headersOfErrors.set(error, headers);
  return error;
}

export function headersOf(error: Error): Headers {
  return headersOfErrors.get(error) ?? {};
}

/** `notFound("Profile", id)`: the same message for an unknown id and for one of another organization. */
export function notFound(kind: string, id?: string): Failure {
  return new Failure("not_found", id === undefined ? `${kind} not found` : `${kind} with ID ${id} not found`);
}

export function invalid(message: string): Failure {
  return new Failure("invalid", message);
}

export function unauthenticated(message = "Sign in to continue"): Failure {
  return new Failure("unauthenticated", message);
}

export function forbidden(message: string): Failure {
  return new Failure("forbidden", message);
}

export function quotaExceeded(message: string): Failure {
  return new Failure("quota_exceeded", message);
}

export function tooLarge(message: string): Failure {
  return new Failure("too_large", message);
}

export function unprocessable(message: string): Failure {
  return new Failure("unprocessable", message);
}

export function rateLimited(message: string, retryAfterSeconds: number): Failure {
  return new Failure("rate_limited", message, { retryAfterSeconds });
}

/** Stored data is damaged; `cause` gives the reason for the log. */
export function damaged(message: string, cause: Error): Failure {
  return new Failure("damaged", message, { cause });
}

/** An operator has to free disk space, which takes a while. */
const diskFullRetrySeconds = 60;

export function diskFull(cause?: unknown): Failure {
  return new Failure(
    "disk_full",
    "The disk is full: nothing is stored until space is freed. Stored profiles can be read. Try again later, and contact the operator of this server.",
    { cause, retryAfterSeconds: diskFullRetrySeconds },
  );
}

export function unavailable(message: string, cause?: unknown, retryAfterSeconds = 1): Failure {
  return new Failure("unavailable", message, { cause, retryAfterSeconds });
}
