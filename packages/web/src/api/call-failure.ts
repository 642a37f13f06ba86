import { ErrorReply, type FailureCode } from "@flamekeep/contract";

export type CallFailureCode = FailureCode | "unreachable" | "timeout";

/** A call that did not give its reply; the message is fit to be shown. */
export class CallFailure extends Error {
  readonly code: CallFailureCode;
  readonly requestId: string | undefined;
  /** Whether the text came from the server rather than from here. */
  readonly isFromServer: boolean;

  constructor(code: CallFailureCode, message: string, from?: { requestId: string }) {
    super(message);
    this.name = "CallFailure";
    this.code = code;
    this.requestId = from?.requestId;
    this.isFromServer = from !== undefined;
  }
}

export async function failureOf(response: Response): Promise<CallFailure> {
  const body: unknown = await response.json().catch(() => undefined);
  const reply = ErrorReply.safeParse(body);
  if (reply.success) {
    return new CallFailure(reply.data.code, reply.data.error, { requestId: reply.data.request_id });
  }
  return new CallFailure("unavailable", `The server answered ${response.status} without saying why.`);
}

export function failureOfFetch(error: unknown): CallFailure {
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return new CallFailure("timeout", "The server did not answer within 30 seconds.");
  }
  return new CallFailure("unreachable", "The server cannot be reached. Check that it is running.");
}

/** The server's own words, or the fallback where it had none. */
export function serverText(error: unknown, fallback: string): string {
  return error instanceof CallFailure && error.isFromServer ? error.message : fallback;
}
