import { isIP } from "node:net";
import type { Config } from "#config";
import { Failure } from "#failure";

/** The names under which browsers keep passkeys: they are bound to the host of PUBLIC_URL. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/** Undefined where browsers refuse passkeys: without TLS, except on this machine, and at a network address without a name. */
export function relyingPartyOf({ publicUrl }: Pick<Config, "publicUrl">): RelyingParty | undefined {
  const { hostname: id, origin, protocol } = new URL(publicUrl);
  const isLocal = id === "localhost" || id.endsWith(".localhost");
  const isAddress = id.startsWith("[") || isIP(id) !== 0;
  return !isAddress && (isLocal || protocol === "https:") ? { id, origin } : undefined;
}

export function requireRelyingParty(config: Pick<Config, "publicUrl">): RelyingParty {
  const party = relyingPartyOf(config);
  if (party !== undefined) return party;
  throw new Failure(
    "conflict",
    "Passkeys need an https address with a host name. The operator of this server sets it as PUBLIC_URL.",
  );
}
