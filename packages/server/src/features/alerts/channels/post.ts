import { type LookupAddress, lookup as systemLookup } from "node:dns";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { BlockList, isIP, isIPv4, isIPv6, type LookupFunction } from "node:net";
import { mappedAddress } from "#net/network.ts";
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
const lookupMs = 3_000;

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
      lookup: allowPrivate ? systemLookup : publicOnly(resolve),
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

/** Refuses a name if one of its addresses is not public, always after `lookupMs`. */
function publicOnly(resolve: typeof systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    let isSettled = false;
    const refusal = setTimeout(() => {
      isSettled = true;
      callback(new Error(`${hostname} ${refusedName}`), "", 0);
    }, lookupMs);
    resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const [first] = addresses ?? [];
      const isUsable = error === null && addresses.every(({ address }) => isPublicAddress(address));
      if (isSettled || !isUsable || first === undefined) return;
      clearTimeout(refusal);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/**
 * IPv4 addresses that are not for everybody, by IANA's IPv4 special-purpose registry: this machine, its networks,
 * documentation, multicast, and anycast services of a network. Also a host service of Azure, which has a public
 * address (https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16).
 */
const special4 = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  special4.addSubnet(network, bits, "ipv4");
}

/**
 * All of IPv6 that is given to networks of the internet. Outside of it are loopback, the forms that carry an IPv4
 * address (compatible, translated `::ffff:0:0:0/96`, NAT64 `64:ff9b::/96` and `64:ff9b:1::/48`), unique local,
 * link-local, the former site-local, SRv6 and multicast addresses.
 */
const unicast6 = new BlockList();
unicast6.addSubnet("2000::", 3, "ipv6");

/** Parts of 2000::/3 that are special: Teredo, benchmarks, ORCHID, 6to4, AS112, documentation. */
const special6 = new BlockList();
for (const [network, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
] as const) {
  special6.addSubnet(network, bits, "ipv6");
}

/** Whether anybody on the internet reaches this address. An IPv4 address written as IPv6 (`::ffff:a.b.c.d`) is the IPv4 address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special4.check(address, "ipv4");
  // A zone, as in fe80::1%eth0, exists for addresses of a link only.
  if (!isIPv6(address) || address.includes("%")) return false;
  const mapped = mappedAddress(address);
  if (mapped !== undefined) return isPublicAddress(mapped);
  return unicast6.check(address, "ipv6") && !special6.check(address, "ipv6");
}
