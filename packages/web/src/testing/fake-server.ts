import { type Call, type FailureCode, failureStatus, type ReplyOf } from "@flamekeep/contract";
import { anyEndpointOf } from "@flamekeep/contract/schemas";
import { vi } from "vitest";

export interface ReceivedCall {
  readonly token: string | undefined;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

type Answer = (call: ReceivedCall) => Response | Promise<Response>;

/** Replaces `fetch`: answers calls by endpoint and records them. Every other call fails as if the server were down. */
export class FakeServer {
  readonly #answers = new Map<string, Answer>();
  readonly #calls: { readonly name: string; readonly call: ReceivedCall }[] = [];

  constructor() {
    vi.stubGlobal("fetch", (input: string, init: RequestInit) => this.#receive(input, init));
  }

  on(endpoint: Call, answer: Answer): void {
    this.#answers.set(nameOf(endpoint), answer);
  }

  callsOf(endpoint: Call): readonly ReceivedCall[] {
    return this.#calls.filter(({ name }) => name === nameOf(endpoint)).map(({ call }) => call);
  }

  async #receive(input: string, init: RequestInit): Promise<Response> {
    const [path = "", search] = input.split("?");
    const token = new Headers(init.headers).get("Authorization")?.replace("Bearer ", "");
    const body = init.body === undefined ? undefined : JSON.parse(String(init.body));
    const call = { token, path, query: new URLSearchParams(search), body };
    for (const [name, answer] of this.#answers) {
      const [method, pattern = ""] = name.split(" ");
      if (method !== init.method || !matches(path, pattern)) continue;
      this.#calls.push({ name, call });
      return answer(call);
    }
    throw new TypeError("Failed to fetch");
  }
}

function nameOf({ method, path }: Call): string {
  return `${method} ${path}`;
}

function matches(path: string, pattern: string): boolean {
  const parts = pattern.split("/");
  const given = path.split("/");
  return (
    parts.length === given.length && parts.every((part, at) => part.startsWith("{") || part === given[at])
  );
}

export function replyWith<C extends Call>(call: C, body: ReplyOf<C>): Response {
  return Response.json(body, { status: anyEndpointOf(call).status });
}

export function failWith(code: FailureCode, error: string, retryAfterSeconds?: number): Response {
  const headers = { ...(retryAfterSeconds !== undefined && { "Retry-After": String(retryAfterSeconds) }) };
  return Response.json({ error, code, request_id: "r1" }, { status: failureStatus[code], headers });
}
