import { limits, refreshToken } from "@flamekeep/contract";
import { readReply } from "#api/reply.ts";
import { readStored, storageKeys, writeStored } from "#preferences/storage.ts";

/** `unreachable` leaves the session as it is: the server may be restarting. */
export type Renewal = "renewed" | "refused" | "unreachable";

let running: Promise<Renewal> | undefined;

/** Renews the tokens once for all concurrent callers, across tabs by a lock. */
export function renewTokens(): Promise<Renewal> {
  running ??= acrossTabs(readStored(storageKeys.accessToken)).finally(() => {
    running = undefined;
  });
  return running;
}

function acrossTabs(staleToken: string | null): Promise<Renewal> {
  // Web Locks exist only in secure contexts. Over plain HTTP, the server's grace period covers concurrent renewals.
  if (navigator.locks === undefined) return exchange();
  return navigator.locks.request("flamekeep.refresh", () =>
    readStored(storageKeys.accessToken) === staleToken ? exchange() : Promise.resolve("renewed" as const),
  );
}

async function exchange(): Promise<Renewal> {
  const token = readStored(storageKeys.refreshToken);
  if (token === null) return "refused";
  try {
    const response = await fetch(refreshToken.path, {
      method: refreshToken.method,
      headers: { Authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(limits.requestTimeoutMs),
    });
    if (!response.ok) return response.status === 429 || response.status >= 500 ? "unreachable" : "refused";
    const { tokens } = await readReply(refreshToken, response);
    writeStored(storageKeys.accessToken, tokens.access_token);
    writeStored(storageKeys.refreshToken, tokens.refresh_token);
    return "renewed";
  } catch {
    return "unreachable";
  }
}

/** Whether the token ends so soon that it is renewed before the next call. */
export function isRenewalDue(accessToken: string, nowSeconds: number): boolean {
  const expiry = tokenExpiry(accessToken);
  return expiry !== undefined && expiry - nowSeconds < limits.accessTokenRenewSeconds;
}

/** Unix seconds at which a JWT expires; undefined if it is malformed. */
export function tokenExpiry(token: string): number | undefined {
  const [, payload] = token.split(".");
  if (payload === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    if (typeof claims !== "object" || claims === null || !("exp" in claims)) return undefined;
    return typeof claims.exp === "number" ? claims.exp : undefined;
  } catch {
    return undefined;
  }
}
