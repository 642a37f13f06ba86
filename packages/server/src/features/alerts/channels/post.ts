import { lookup as systemLookup } from "node:dns";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { checkedLookup, isPublicAddress } from "#net/addresses.ts";
import type { Sent } from "./channel.ts";

export interface Post {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether addresses in a private network may be reached. */
  readonly allowPrivate: boolean;
  /** Replaces the system's look-up in tests. */
  readonly resolve?: typeof systemLookup;
}

const timeoutMs = 10_000;
const privateAddress = "is in a private network; set ALERT_WEBHOOKS_ALLOW_PRIVATE=on to allow it";
/**
 * The same text, after the same time, for a name that does not exist and for one in the private network. Anybody can
 * set up a webhook and test it, so a difference would reveal the names in the network.
 */
const refusedName =
  "cannot be used: the host name does not exist or has a private address (allow these with ALERT_WEBHOOKS_ALLOW_PRIVATE=on)";

const publicOnly = { isAllowed: isPublicAddress, refusal: (name: string) => `${name} ${refusedName}` };

/**
 * One POST of JSON. The check of the address is part of the connection's name look-up, so the checked address is the
 * one that is connected to: a name cannot point elsewhere a moment later. Redirects are not followed.
 */
export function post({
  url: text,
  body,
  headers,
  allowPrivate,
  resolve = systemLookup,
}: Post): Promise<Sent> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !isDeliverable(url)) {
    return Promise.resolve({
      ok: false,
      message: "The URL must be http or https, without a name and password",
    });
  }
  const refused = allowPrivate ? undefined : privateAddressText(url);
  if (refused !== undefined) return Promise.resolve({ ok: false, message: refused });
  const send = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((settle) => {
    const request = send(url, {
      method: "POST",
      agent: false,
      headers: { ...headers, "content-type": "application/json", "user-agent": "Flamekeep" },
      lookup: allowPrivate ? systemLookup : checkedLookup(resolve, publicOnly),
      signal: AbortSignal.timeout(timeoutMs),
    });
    request.on("error", (error) => settle({ ok: false, message: sentenceOf(error) }));
    request.on("response", (response) => {
      const { statusCode = 0 } = response;
      // The body is not needed and may be endless.
      response.destroy();
      settle({ ok: statusCode >= 200 && statusCode < 300, message: `Answered ${statusCode}` });
    });
    request.end(body);
  });
}

/** Why an address that is written as a number is refused; undefined for public ones, and for names, which are looked up when something is sent. */
export function privateAddressText({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) === 0 || isPublicAddress(host) ? undefined : `${host} ${privateAddress}`;
}

function isDeliverable({ protocol, username, password }: URL): boolean {
  return ["http:", "https:"].includes(protocol) && username === "" && password === "";
}

/** Node reports several failed addresses as one error with an empty message. */
function sentenceOf(error: Error): string {
  return error.message || (error as NodeJS.ErrnoException).code || "The connection failed";
}
