import { BlockList, isIPv6 } from "node:net";
import { hourMs } from "@flamekeep/contract/durations";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";

/** Peers that are recorded; more than a few are clients rather than proxies. */
const peersMax = 8;

/** Loopback, private, shared (RFC 6598), unique local and link-local addresses, which reverse proxies usually have. */
const localNetworks = trustedList([
  "127.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "169.254.0.0/16",
  "::1",
  "fc00::/7",
  "fe80::/10",
]);

/** A peer is removed this long after its last such request: the header may have been sent by hand. */
const removedAfterMs = hourMs;

/**
 * Detects reverse proxies that TRUSTED_PROXIES does not name: limits by address then treat all clients behind one as one
 * client. Anybody can send the header, so that only local addresses are reported as proxies; others are logged once.
 *
 * @returns the addresses that sent the header within the last hour
 */
export function detectUntrustedProxies(app: FastifyInstance, ctx: Context): () => readonly string[] {
  const trusted = trustedList(ctx.config.trustedProxies);
  /** The time of the last request by address. */
  const proxies = new Map<string, number>();
  let hasLoggedPublic = false;
  const removeOld = (): void => {
    const before = ctx.now().getTime() - removedAfterMs;
    for (const [peer, seenMs] of proxies) if (seenMs < before) proxies.delete(peer);
  };
  app.addHook("onRequest", async (request) => {
    if (request.headers["x-forwarded-for"] === undefined) return;
    const peer = request.socket.remoteAddress;
    if (peer === undefined || contains(trusted, peer)) return;
    if (contains(localNetworks, peer)) {
      const isNew = !proxies.has(peer);
      if (isNew) removeOld();
      if (isNew && proxies.size >= peersMax) return;
      proxies.set(peer, ctx.now().getTime());
      if (isNew) ctx.log.warn({ peer }, noticeOf(peer));
      return;
    }
    if (hasLoggedPublic) return;
    hasLoggedPublic = true;
    ctx.log.info(
      { peer },
      "X-Forwarded-For came from a public address and was ignored. If the address is that of your own reverse proxy, add it to TRUSTED_PROXIES.",
    );
  });
  return () => {
    removeOld();
    return [...proxies.keys()];
  };
}

function noticeOf(peer: string): string {
  return `X-Forwarded-For came from ${peer}, which TRUSTED_PROXIES does not list. If that is your reverse proxy, add it: until then everyone behind it shares one address, and one limit on failed sign-ins.`;
}

function contains(list: BlockList, address: string): boolean {
  return list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

function trustedList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
