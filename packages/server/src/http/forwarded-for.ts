import { BlockList, isIPv6 } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";

/** Peers that are remembered; more than a few are clients rather than proxies. */
const peersMax = 8;

/** Loopback, private, shared (RFC 6598), unique local and link-local addresses: where a reverse proxy usually is. */
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

/**
 * Notices a reverse proxy that TRUSTED_PROXIES does not name: limits by address then treat everybody behind it as one. Anybody
 * may send the header, so the advice is given for local addresses only; others are logged.
 *
 * @returns a sentence for operators once that happened
 */
export function noticeUntrustedProxy(app: FastifyInstance, ctx: Context): () => string | undefined {
  const trusted = trustedList(ctx.config.trustedProxies);
  const proxies = new Set<string>();
  let hasLoggedPublic = false;
  app.addHook("onRequest", async (request) => {
    if (request.headers["x-forwarded-for"] === undefined) return;
    const peer = request.socket.remoteAddress;
    if (peer === undefined || proxies.has(peer) || contains(trusted, peer)) return;
    if (contains(localNetworks, peer)) {
      if (proxies.size >= peersMax) return;
      proxies.add(peer);
      ctx.log.warn({ peer }, noticeOf([peer]));
      return;
    }
    if (hasLoggedPublic) return;
    hasLoggedPublic = true;
    ctx.log.info(
      { peer },
      "X-Forwarded-For came from a public address and was ignored. If the address is that of your own reverse proxy, add it to TRUSTED_PROXIES.",
    );
  });
  return () => (proxies.size === 0 ? undefined : noticeOf([...proxies]));
}

function noticeOf(peers: readonly string[]): string {
  return `X-Forwarded-For came from ${peers.join(", ")}, which TRUSTED_PROXIES does not name. If that is your reverse proxy, add it: until then everybody behind it shares one address, and one limit on failed sign-ins.`;
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
