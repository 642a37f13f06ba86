import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { readableLine } from "@flamekeep/contract";
import { Failure } from "#failure";
import type { Reach } from "./reach.ts";

export interface ClientOptions {
  readonly reach: Reach;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: { readonly ca: string; readonly skip_verification: boolean };
}

export interface Get {
  readonly timeoutMs: number;
  readonly bytesMax: number;
  /** The advice in the error of a larger body. */
  readonly tooLarge: string;
  /** How much of the body is kept; all of it if left out. */
  readonly keptBytesMax?: number;
  readonly stopped: AbortSignal;
  /** Called before the body of a reply with the status 200 is read; the returned function gets the size of each part, and throws to end the reading. */
  readonly admit?: () => Promise<(bytes: number) => void>;
}

export interface Got {
  readonly status: number;
  readonly contentType: string;
  readonly location: string;
  /** The length of the body as far as it was read. */
  readonly bytes: number;
  /** Only the beginning with a status other than 200. */
  readonly body: Buffer;
}

/** The message is a sentence for people that says what to do. */
export class PullError extends Error {
  override readonly name = "PullError";
}

const errorBytesMax = 2048;

/** Reads addresses over connections that stay open. Never follows redirects. Close it when done. */
export class Client {
  readonly #options: ClientOptions;
  readonly #http = new HttpAgent({ keepAlive: true });
  readonly #https: HttpsAgent;

  constructor(options: ClientOptions) {
    this.#options = options;
    const { ca, skip_verification: skips } = options.tls;
    this.#https = new HttpsAgent({
      keepAlive: true,
      rejectUnauthorized: !skips,
      ...(ca === "" ? {} : { ca }),
    });
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  /** Throws a PullError if there is no whole reply in time. */
  async get(address: string, get: Get): Promise<Got> {
    const url = new URL(address);
    const refusal = this.#options.reach.refusalOf(url.hostname);
    if (refusal !== undefined) throw new PullError(refusal);
    const timeout = AbortSignal.timeout(get.timeoutMs);
    const signal = AbortSignal.any([timeout, get.stopped]);
    try {
      return await this.#read(url, get, signal);
    } catch (error) {
      if (timeout.aborted && !get.stopped.aborted) throw new PullError(lateText(url, get.timeoutMs));
      if (get.stopped.aborted || error instanceof PullError || error instanceof Failure) throw error;
      throw new PullError(sentenceOf(error as NodeJS.ErrnoException, url), { cause: error });
    }
  }

  async #read(url: URL, get: Get, signal: AbortSignal): Promise<Got> {
    const { admit, bytesMax, keptBytesMax = bytesMax, tooLarge } = get;
    const response = await this.#respond(url, signal);
    try {
      const { statusCode: status = 0, headers } = response;
      const encoding = headers["content-encoding"]?.toLowerCase() ?? "identity";
      if (status === 200 && encoding !== "gzip" && encoding !== "identity")
        throw new PullError(encodedText(url, encoding));
      const isFine = status === 200;
      const grow = isFine ? await admit?.() : undefined;
      const parts: Buffer[] = [];
      let bytes = 0;
      for await (const part of decoded(response) as AsyncIterable<Buffer>) {
        bytes += part.length;
        if (isFine && bytes > bytesMax)
          throw new PullError(`${url.host} sent more than ${bytesMax} bytes. ${tooLarge}`);
        grow?.(part.length);
        if (bytes - part.length < keptBytesMax) parts.push(part);
        if (!isFine && bytes > errorBytesMax) break;
      }
      const { "content-type": contentType = "", location = "" } = headers;
      return { status, contentType, location, bytes, body: Buffer.concat(parts).subarray(0, keptBytesMax) };
    } finally {
      // Without effect on a body that was read to its end.
      response.destroy();
    }
  }

  #respond(url: URL, signal: AbortSignal, isRepeated = false): Promise<IncomingMessage> {
    const isTls = url.protocol === "https:";
    const { headers, reach } = this.#options;
    return new Promise((resolve, reject) => {
      const request = (isTls ? httpsRequest : httpRequest)(url, {
        agent: isTls ? this.#https : this.#http,
        headers: { ...headers, "user-agent": "Flamekeep", "accept-encoding": "identity" },
        ...(reach.lookup === undefined ? {} : { lookup: reach.lookup }),
        signal,
      });
      let isAskedAgain = false;
      request.on("response", resolve);
      request.on("error", (error: NodeJS.ErrnoException) => {
        // The process closed a connection that was idle just when it was used again.
        isAskedAgain = request.reusedSocket && error.code === "ECONNRESET" && !isRepeated && !signal.aborted;
        if (isAskedAgain) this.#respond(url, signal, true).then(resolve, reject);
        else reject(error);
      });
      // A change of the protocol (101) ends the request with neither a response nor an error.
      request.on("close", () => {
        if (!isAskedAgain) reject(new PullError(switchedText(url)));
      });
      request.end();
    });
  }
}

/** Middleware of a process may compress although that was not asked for. */
function decoded(response: IncomingMessage): Readable {
  if (response.headers["content-encoding"]?.toLowerCase() !== "gzip") return response;
  // The error of one ends the other, and the reading.
  return pipeline(response, createGunzip(), () => undefined);
}

function lateText({ host }: URL, ms: number): string {
  return `${host} did not answer within ${Math.ceil(ms / 1000)} s. Check the address and firewalls, and whether the process hangs.`;
}

function encodedText({ host }: URL, encoding: string): string {
  return `${host} sent the encoding ${readableLine(encoding.slice(0, 50))}, which cannot be read. Send gzip, or nothing encoded.`;
}

function switchedText({ host }: URL): string {
  return `${host} changes to another protocol in place of an answer. Check the port, and whether it serves net/http/pprof.`;
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED:
    "refuses connections. Check the port, and that the process runs and serves net/http/pprof on an address that this server reaches",
  EHOSTUNREACH: "cannot be reached from this server. Check the address and the network",
  ENETUNREACH: "cannot be reached from this server. Check the address and the network",
  ETIMEDOUT: "does not accept connections. Check the address and firewalls",
  ECONNRESET: "closed the connection. Check whether it restarted, and whether it expects https",
  EPROTO: "does not speak TLS on this port. Use http, or another port",
  DEPTH_ZERO_SELF_SIGNED_CERT: "has a certificate that this server does not trust. Add its CA to the target",
  SELF_SIGNED_CERT_IN_CHAIN: "has a certificate that this server does not trust. Add its CA to the target",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "has a certificate that this server does not trust. Add its CA to the target",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    "has a certificate that this server does not trust. Add its CA to the target",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "has a certificate for another name. Use that name in the target, or correct the certificate",
  CERT_HAS_EXPIRED: "has a certificate that expired. Renew it",
};

/** By the beginning of the code: Node's HTTP parser and zlib have many. */
const reasonsByPrefix = [
  ["HPE_", "does not answer with HTTP that can be read. Check the port, and whether it expects https"],
  ["Z_", "sent bytes that are not the gzip that it names. Check the process, and what is before it"],
] as const;

function sentenceOf(error: NodeJS.ErrnoException, { host }: URL): string {
  const code = String(error.code);
  const reason = reasons[code] ?? reasonsByPrefix.find(([prefix]) => code.startsWith(prefix))?.[1];
  if (reason !== undefined) return `${host} ${reason}.`;
  return `${host} cannot be read: ${error.message || String(error.code)}`;
}
