import {
  type Call,
  demoPlaceholder,
  limits,
  organizationHeader,
  type ReplyOf,
  type RequestOf,
  sessionEndedMessage,
  toPath,
} from "@flamekeep/contract";
import { readStored, storageKeys } from "#preferences/storage.ts";
import { compareOwners, isRenewalDue, renewTokens } from "#session/renew-tokens.ts";
import { announceRefusedSession, noteMissingFactor } from "#session/session.ts";
import { fromBase } from "#url/base-path.ts";
import { noteReachability } from "./reachability.ts";
import { CallFailure, failureOf, failureOfFetch, readReply } from "./reply.ts";

const changedOwners = {
  "other person": "Another user signed in to Flamekeep in another tab. Reload the page.",
  "other organization": "You switched to another organization in another tab. Reload the page.",
};

export interface CallRequest<C extends Call> {
  readonly params?: RequestOf<C>["params"];
  readonly query?: RequestOf<C>["query"];
  readonly body?: RequestOf<C>["body"];
  /** Another organization of the person, for the calls that read it. */
  readonly organization?: string | undefined;
  readonly signal?: AbortSignal;
}

interface RawRequest {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly organization?: string | undefined;
  readonly accept?: string;
  readonly signal?: AbortSignal;
  /** For replies that take longer than most. */
  readonly timeoutMs?: number;
  /** Replaces `fetch`, for a body that is not JSON. */
  readonly transport?: (url: string, init: RequestInit) => Promise<Response>;
  /** Sent instead of the stored token, and never renewed. */
  readonly token?: string;
}

/** Calls an endpoint of the contract. Fails only with `CallFailure`, or with the caller's own abort. */
export async function call<C extends Call>(endpoint: C, request: CallRequest<C> = {}): Promise<ReplyOf<C>> {
  return readReply(endpoint, await callRaw(endpoint, request));
}

/** As `call`, for replies that are not JSON. */
export async function callRaw(endpoint: Call, request: RawRequest): Promise<Response> {
  const token = request.token ?? (await currentToken());
  const response = await send(endpoint, request, token);
  if (response.ok) return response;
  if (
    response.status !== 401 ||
    endpoint.auth !== "session" ||
    token === demoPlaceholder ||
    request.token !== undefined
  ) {
    throw await failureNoted(response, request);
  }
  return renewAndRetry(endpoint, request, token);
}

/** Reads the failure. A second factor that the session's organization requires also leads the person to the page that sets one up. */
async function failureNoted(response: Response, { organization }: RawRequest): Promise<CallFailure> {
  const failure = await failureOf(response);
  if (failure.code === "second_factor_required" && organization === undefined) noteMissingFactor();
  return failure;
}

async function renewAndRetry(endpoint: Call, request: RawRequest, refusedToken: string): Promise<Response> {
  const renewal = await renewTokens(refusedToken);
  if (renewal instanceof CallFailure) throw renewal;
  const token = readStored(storageKeys.accessToken);
  if (renewal === "renewed" && token !== null) {
    // Another tab signed in as somebody else, who did not ask for this.
    const owners = compareOwners(token, refusedToken);
    if (owners !== "same") throw new CallFailure("unauthenticated", changedOwners[owners]);
    const response = await send(endpoint, request, token);
    if (response.ok) return response;
    if (response.status !== 401) throw await failureNoted(response, request);
  }
  announceRefusedSession();
  throw new CallFailure("unauthenticated", sessionEndedMessage);
}

async function currentToken(): Promise<string> {
  const token = readStored(storageKeys.accessToken);
  if (token === null) return demoPlaceholder;
  if (!isRenewalDue(token, Date.now() / 1000)) return token;
  await renewTokens();
  return readStored(storageKeys.accessToken) ?? demoPlaceholder;
}

async function send(endpoint: Call, request: RawRequest, token: string): Promise<Response> {
  const timeout = AbortSignal.timeout(request.timeoutMs ?? limits.requestTimeoutMs);
  const hasBody = request.body !== undefined;
  const { transport = fetch } = request;
  try {
    const response = await transport(
      fromBase(
        toPath(
          endpoint,
          request.params as Record<string, string> | undefined,
          request.query as Record<string, string> | undefined,
        ),
      ),
      {
        method: endpoint.method,
        headers: {
          Accept: request.accept ?? "application/json",
          Authorization: `Bearer ${token}`,
          ...(request.organization !== undefined && { [organizationHeader]: request.organization }),
          ...(hasBody && { "Content-Type": "application/json" }),
        },
        ...(hasBody && { body: JSON.stringify(request.body) }),
        signal: request.signal ? AbortSignal.any([request.signal, timeout]) : timeout,
      },
    );
    noteReachability(true);
    return response;
  } catch (error) {
    if (request.signal?.aborted) throw error;
    noteReachability(false);
    throw failureOfFetch(error);
  }
}
