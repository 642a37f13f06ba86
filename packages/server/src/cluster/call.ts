import { Agent, type IncomingMessage, request as sendRequest } from "node:http";
import { buffer } from "node:stream/consumers";
import type { SigningKeys } from "#auth/tokens/access-token.ts";
import type { Member } from "./heartbeats.ts";
import { pathPrefix } from "./listen.ts";
import { type Answer, decodeMessage, encodeMessage, type Message, replyOf, Unreached } from "./message.ts";
import { digestOf, isReplySigned, signCall } from "./signature.ts";

/** Below the 25 s after which the sender of an upload gets an answer. */
export const callMsMax = 24_000;

const connectMsMax = 3_000;

export interface CallOptions {
  readonly name: string;
  readonly to: Member;
  /** Ends the wait for the reply. */
  readonly signal: AbortSignal;
}

/** Calls other members over connections that are kept. */
export class Caller {
  readonly #id: string;
  readonly #keys: SigningKeys;
  readonly #agent = new Agent({ keepAlive: true, timeout: callMsMax });

  constructor(id: string, keys: SigningKeys) {
    this.#id = id;
    this.#keys = keys;
  }

  /** Throws what the operation of the member throws, and Unreached if the call cannot have arrived. */
  async call(message: Message, { name, to, signal }: CallOptions): Promise<Required<Message>> {
    const body = encodeMessage(message);
    const digest = digestOf(body);
    const call = { name, from: this.#id, to: to.id, atMs: Date.now(), digest };
    const signature = signCall(this.#keys, call);
    const headers = {
      "content-length": body.length,
      "x-flamekeep-from": this.#id,
      "x-flamekeep-time": call.atMs,
      "x-flamekeep-digest": digest,
      "x-flamekeep-signature": signature,
    };
    const response = await this.#send(`http://${to.address}${pathPrefix}${name}`, headers, body, signal);
    const reply = await buffer(response);
    const { statusCode, headers: got } = response;
    // Another process may have the address by now, or the secrets differ.
    if (statusCode !== 200) throw new Unreached(`${to.address} refused the call ${name} with ${statusCode}`);
    const replySignature = String(got["x-flamekeep-signature"] ?? "");
    if (!isReplySigned(this.#keys, signature, digestOf(reply), replySignature))
      throw new Unreached(`${to.address} answered the call ${name} without a right signature`);
    const { head, bytes } = decodeMessage(reply);
    return { head: replyOf(head as Answer), bytes };
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(
    url: string,
    headers: Record<string, string | number>,
    body: Buffer,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      let isConnected = false;
      const request = sendRequest(url, { method: "POST", agent: this.#agent, headers, signal });
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
      request.once("response", resolve);
      request.once("error", (cause) => {
        const isIdleClosed = request.reusedSocket && (cause as NodeJS.ErrnoException).code === "ECONNRESET";
        if (isIdleClosed) resolve(this.#send(url, headers, body, signal));
        else reject(isConnected ? cause : new Unreached(`${url} cannot be reached`, { cause }));
      });
      request.end(body);
    });
  }
}
