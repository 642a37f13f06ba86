import { BlockList, isIPv6 } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";

/**
 * Notices a reverse proxy that TRUSTED_PROXIES does not name: limits by address then count everybody behind it as one.
 *
 * @returns a sentence for operators once that happened
 */
export function noticeUntrustedProxy(app: FastifyInstance, ctx: Context): () => string | undefined {
  const trusted = trustedList(ctx.config.trustedProxies);
  let notice: string | undefined;
  app.addHook("onRequest", async (request) => {
    if (notice !== undefined || request.headers["x-forwarded-for"] === undefined) return;
    const peer = request.socket.remoteAddress;
    if (peer === undefined || trusted.check(peer, isIPv6(peer) ? "ipv6" : "ipv4")) return;
    notice = `X-Forwarded-For came from ${peer}, which TRUSTED_PROXIES does not name. If that is your reverse proxy, add it: until then everybody behind it shares one address, and one limit on failed sign-ins.`;
    ctx.log.warn({ peer }, notice);
  });
  return () => notice;
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
