import { isIP } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "#config";
import { invalid } from "#failure";

/** A name or an IPv4 address, or an IPv6 address in brackets, with or without a port. */
const hostPattern = /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9._-]{1,253}))(?::\d{1,5})?$/i;

/**
 * Throws 400 unless the request names this server. A page elsewhere may give its own name the address of this machine
 * (DNS rebinding): the browser then lets it make calls here, for example register the first account of a fresh
 * installation. It cannot do that with an address, nor with a name that belongs to somebody else.
 */
export function requireKnownHost({ knownHosts }: Pick<Config, "knownHosts">, request: FastifyRequest): void {
  // Not `request.host`: with a trusted proxy it is X-Forwarded-Host, which a page can set.
  const [, address, named = ""] = hostPattern.exec(request.headers.host ?? "") ?? [];
  const name = named.toLowerCase().replace(/\.$/, "");
  if (isIP(address ?? name) !== 0 || knownHosts.has(name)) return;
  if (name === "") throw invalid("The Host header must have the name or the address of this server.");
  throw invalid(
    `This server does not know the name ${name}. If users reach it by that name, set PUBLIC_URL to their address, or ALLOWED_HOSTS=${name} for an additional name, and restart the server. A proxy must forward the Host header.`,
  );
}

/** Node takes the first of several Host headers, a proxy may take another one (RFC 9112, section 3.2). */
export function refuseSecondHost(app: FastifyInstance): void {
  app.addHook("onRequest", async ({ raw: { rawHeaders } }) => {
    let count = 0;
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const name = rawHeaders[i]!;
      if (name.length === 4 && name.toLowerCase() === "host") count++;
    }
    if (count > 1) throw invalid("The request has more than one Host header. Send one.");
  });
}
