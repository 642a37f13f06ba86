import type { Call, ErrorReply, FailureCode, ReplyOf } from "@flamekeep/contract";
import { unreachableText } from "./reachability.ts";

export type CallFailureCode = FailureCode | "unreachable" | "timeout";

interface FromServer {
  readonly requestId: string;
  readonly retryAfterSeconds?: number | undefined;
}

/** A call that failed. Its message can be shown to people. */
export class CallFailure extends Error {
  readonly code: CallFailureCode;
  readonly requestId: string | undefined;
  /** Whether the message is the server's own. */
  readonly isFromServer: boolean;
  /** After how many seconds the server wants the call again; undefined if it did not say so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: CallFailureCode, message: string, from?: FromServer) {
    super(message);
    this.name = "CallFailure";
    this.code = code;
    this.requestId = from?.requestId;
    this.isFromServer = from !== undefined;
    this.retryAfterSeconds = from?.retryAfterSeconds;
  }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof CallFailure && error.code === "not_found";
}

/** The body of a successful response. Development and tests check it against the contract; production trusts the server. */
export async function readReply<C extends Call>(call: C, response: Response): Promise<ReplyOf<C>> {
  const body: unknown = await response.json();
  if (!import.meta.env.DEV) return body as ReplyOf<C>;
  const { checkedReply } = await import("@flamekeep/contract/schemas");
  return checkedReply(call, body);
}

export async function failureOf(response: Response): Promise<CallFailure> {
  const body: unknown = await response.json().catch(() => undefined);
  if (isErrorReply(body)) {
    const retryAfterSeconds = Number(response.headers.get("retry-after")) || undefined;
    return new CallFailure(body.code, body.error, { requestId: body.request_id, retryAfterSeconds });
  }
  return new CallFailure(
    "unavailable",
    `The server returned status ${response.status} without an error message.`,
  );
}

/** Whether the server answered, and not a proxy in front of it. */
function isErrorReply(body: unknown): body is ErrorReply {
  if (typeof body !== "object" || body === null) return false;
  const { error, code, request_id } = body as Partial<Record<keyof ErrorReply, unknown>>;
  return [error, code, request_id].every((field) => typeof field === "string");
}

export function failureOfFetch(error: unknown): CallFailure {
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return new CallFailure("timeout", "The server did not answer within 30 seconds.");
  }
  const advice = navigator.onLine
    ? "Check that it is running."
    : "The page updates when you are back online.";
  return new CallFailure("unreachable", `${unreachableText()}. ${advice}`);
}

/** The server's message, or the fallback if the failure is not from the server. */
export function serverText(error: unknown, fallback: string): string {
  return error instanceof CallFailure && error.isFromServer ? error.message : fallback;
}
