import { randomBytes } from "node:crypto";
import { Agent, type IncomingMessage, type RequestOptions, request as sendRequest } from "node:http";
import type { SigningKeys } from "#auth/tokens/access-token.ts";
import { readWhole } from "#http/endpoint/bodies.ts";
import type { Member } from "./heartbeats.ts";
import { type CallGroup, groupOf, pathPrefix } from "./listen.ts";
import {
  type Answer,
  decodeMessage,
  encodeMessage,
  type Message,
  replyOf,
  sendParts,
  Unreached,
} from "./message.ts";
import { digestInSteps, digestOf, isReplySigned, signedHeaders } from "./signature.ts";

/** Below the 25 s after which the sender of an upload gets an answer. */
export const callMsMax = 24_000;

const connectMsMax = 3_000;

const nonceBytes = 12;

/** Above the reply to a request with as many profiles as it may have. */
const replyBytesMax = 64 * 1024 * 1024;

/** Connections to each member. */
const connections = { membership: 16, work: 256 };

export interface CallOptions {
  readonly name: string;
  readonly to: Member;
  /** See `SignedCall`. */
  readonly orgId?: string | undefined;
  /** Ends the wait for the reply. */
  readonly signal: AbortSignal;
}

/** Calls other members over connections that are kept. */
export class Caller {
  readonly #id: string;
  readonly #keys: SigningKeys;
  readonly #agents: Readonly<Record<CallGroup, Agent>> = {
    membership: agentOf(connections.membership),
    work: agentOf(connections.work),
  };

  constructor(id: string, keys: SigningKeys) {
    this.#id = id;
    this.#keys = keys;
  }

  /** Throws what the operation of the member throws, and Unreached if the member did not take the call, as far as is known. */
  async call(message: Message, { name, to, orgId = "", signal }: CallOptions): Promise<Required<Message>> {
    const body = encodeMessage(message);
    const [sentHead, sentBytes] = body;
    const digest = await digestInSteps(...body);
    const nonce = randomBytes(nonceBytes).toString("base64url");
    const sent = { name, from: this.#id, to: to.id, orgId, atMs: Date.now(), nonce, digest };
    const headers = signedHeaders(this.#keys, { ...sent, length: sentHead.length + sentBytes.length });
    const { "x-flamekeep-signature": signature } = headers;
    const agent = this.#agents[groupOf(name)];
    const url = `http://${to.address}${pathPrefix}${name}`;
    const { response, mayHaveArrived } = await sendCall(url, body, {
      method: "POST",
      agent,
      headers,
      signal,
    });
    const unreached = (reason: string) => new Unreached(`${to.address} ${reason}`, { mayHaveArrived });
    const { statusCode, headers: got } = response;
    if (statusCode !== 200) response.destroy();
    if (statusCode === 503)
      throw unreached("takes no more calls of this minute: it has no room to note them");
    // Another process may have the address by now, or the secrets differ.
    if (statusCode !== 200) throw unreached(`refused the call ${name} with ${statusCode}`);
    const reply = await replyBody(response).catch((cause: unknown) => {
      response.destroy();
      throw signal.aborted
        ? signal.reason
        : new Error(`The reply of ${to.address} cannot be read`, { cause });
    });
    const replySignature = String(got["x-flamekeep-signature"] ?? "");
    if (!isReplySigned(this.#keys, signature, digestOf(reply), replySignature))
      throw unreached(`answered the call ${name} without a right signature`);
    const { head, bytes } = decodeMessage(reply);
    return { head: replyOf(head as Answer), bytes };
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

function agentOf(maxSockets: number): Agent {
  return new Agent({ keepAlive: true, timeout: callMsMax, maxSockets });
}

function sendCall(
  url: string,
  body: ReturnType<typeof encodeMessage>,
  options: RequestOptions,
  mayHaveArrived = false,
): Promise<{ readonly response: IncomingMessage; readonly mayHaveArrived: boolean }> {
  return new Promise((resolve, reject) => {
    let isConnected = false;
    const request = sendRequest(url, options);
    request.once("socket", (socket) => {
      isConnected = !socket.connecting;
      if (isConnected) return;
      const timer = setTimeout(
        () => request.destroy(new Error(`no connection within ${connectMsMax} ms`)),
        connectMsMax,
      );
      request.once("close", () => clearTimeout(timer));
      socket.once("connect", () => {
        isConnected = true;
        clearTimeout(timer);
      });
    });
    request.once("response", (response) => resolve({ response, mayHaveArrived }));
    request.once("error", (cause) => {
      // The member closed an idle connection, or ended with the call.
      const isClosed = request.reusedSocket && (cause as NodeJS.ErrnoException).code === "ECONNRESET";
      if (isClosed) resolve(sendCall(url, body, options, true));
      else reject(isConnected ? cause : new Unreached(`${url} cannot be reached`, { cause, mayHaveArrived }));
    });
    sendParts(request, body);
  });
}

/** Its signature is checked afterwards, and another process may have the address by now: so it has a limit. */
function replyBody(response: IncomingMessage): Promise<Buffer> {
  const length = response.headers["content-length"];
  const declared = length === undefined ? undefined : Number(length);
  return readWhole(response, { declared, bytesMax: replyBytesMax, ownsChunks: true });
}
