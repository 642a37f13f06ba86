import type { Config } from "#config";

export type State = "ok" | "note" | "failed" | "skipped";

/** One line of the report. A `note` needs somebody's attention, and does not fail the run. */
export interface Finding {
  readonly state: State;
  /** Sentences: the state of the matter, and the remedy where there is one. */
  readonly text: string;
}

interface Keys {
  /** Sends profiles. */
  readonly send: string | undefined;
  /** Reads through /mcp. */
  readonly read: string | undefined;
}

export interface Task {
  readonly config: Config;
  readonly keys: Keys;
  /** The address at which this machine reaches the server. */
  readonly localUrl: string;
}

/** One matter that is examined. A check that throws has failed. */
export interface Check {
  readonly title: string;
  run(task: Task): Promise<readonly Finding[]>;
}

export const ok = (text: string): Finding => ({ state: "ok", text });
export const note = (text: string): Finding => ({ state: "note", text });
export const failed = (text: string): Finding => ({ state: "failed", text });
export const skipped = (text: string): Finding => ({ state: "skipped", text });

const requestMsMax = 10_000;

/** Throws an Error with the reason in words if there is no reply. */
export async function request(url: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, { signal: AbortSignal.timeout(requestMsMax), redirect: "manual", ...init });
  } catch (error) {
    throw new Error(requestFailure(error as Error));
  }
}

/** Without the message of a request that could not be made: it repeats the key or the password in the address. */
function requestFailure(error: Error): string {
  if (error.name === "TimeoutError") return `no answer within ${requestMsMax / 1000} s`;
  if (error.cause !== undefined) return reasonOf(error.cause);
  return "the address or the key has characters that a request cannot have";
}

/** The message of the first cause: those around it say only that a request failed. */
export function reasonOf(error: unknown): string {
  const { cause, message, code } = error as Error & { readonly code?: string };
  if (cause !== undefined) return reasonOf(cause);
  return message === "" ? (code ?? "unknown error") : message;
}
