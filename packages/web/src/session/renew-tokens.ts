import { limits, refreshToken } from "@flamekeep/contract";
import { type CallFailure, failureOf, failureOfFetch, readReply } from "#api/reply.ts";
import { readStored, type StorageKey, storageKeys, writeStored } from "#preferences/storage.ts";
import { fromBase, storagePrefix } from "#url/base-path.ts";

/** A failure leaves the session as it is: the server may be restarting, or limit the rate. */
export type Renewal = "renewed" | "refused" | CallFailure;

const lockName = `${storagePrefix}.refresh`;

let running: Promise<Renewal> | undefined;

/**
 * Renews the tokens once for all concurrent callers, across tabs by a lock. Does nothing if the stored access token is no
 * longer `staleToken`, with which a call was refused: another call or tab has renewed it.
 */
export function renewTokens(staleToken = readStored(storageKeys.accessToken)): Promise<Renewal> {
  running ??= acrossTabs(staleToken).finally(() => {
    running = undefined;
  });
  return running;
}

/** A tab's write reaches the storage of another tab's process shortly after the lock does. */
const storageDelayMs = 250;

async function acrossTabs(staleToken: string | null): Promise<Renewal> {
  const renew = () => (isReplaced(storageKeys.accessToken, staleToken) ? renewed : exchange());
  // Web Locks exist only in secure contexts. Over plain HTTP, the server's grace period covers concurrent renewals.
  if (navigator.locks === undefined) return renew();
  const inThisTab = await renewIfFree(renew);
  if (inThisTab !== null) return inThisTab;
  return navigator.locks.request(lockName, async () => {
    await replacementOf(staleToken);
    return renew();
  });
}

/**
 * Renews the tokens if the lock is free; null if another tab has it. New tokens take a moment to reach other tabs. The lock is kept for
 * that moment, so that a tab which starts then waits for them. The caller does not wait for it.
 */
function renewIfFree(renew: () => Promise<Renewal>): Promise<Renewal | null> {
  const { promise, resolve, reject } = Promise.withResolvers<Renewal | null>();
  const locked = navigator.locks.request(lockName, { ifAvailable: true }, async (lock) => {
    const renewal = lock && (await renew());
    resolve(renewal);
    if (renewal === "renewed") await new Promise((done) => setTimeout(done, storageDelayMs));
  });
  locked.catch(reject);
  return promise;
}

/** Resolves when another tab has stored a new access token, or after a moment in which none did. */
async function replacementOf(staleToken: string | null): Promise<void> {
  const deadline = performance.now() + storageDelayMs;
  while (!isReplaced(storageKeys.accessToken, staleToken) && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const renewed = Promise.resolve("renewed" as const);

/** Whether another one is stored. After signing out there is none. */
function isReplaced(key: StorageKey, text: string | null): boolean {
  const stored = readStored(key);
  return stored !== null && stored !== text;
}

async function exchange(): Promise<Renewal> {
  const token = readStored(storageKeys.refreshToken);
  if (token === null) return "refused";
  try {
    const response = await fetch(fromBase(refreshToken.path), {
      method: refreshToken.method,
      headers: { Authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(limits.requestTimeoutMs),
    });
    if (response.status === 429 || response.status >= 500) return failureOf(response);
    // While this waited, somebody may have signed out, or another tab renewed the tokens or signed in as somebody else.
    if (isReplaced(storageKeys.refreshToken, token)) return "renewed";
    if (!response.ok) return "refused";
    const { tokens } = await readReply(refreshToken, response);
    if (readStored(storageKeys.refreshToken) !== token) return "refused";
    writeStored(storageKeys.accessToken, tokens.access_token);
    writeStored(storageKeys.refreshToken, tokens.refresh_token);
    return "renewed";
  } catch (error) {
    return failureOfFetch(error);
  }
}

/** Whether the token ends so soon that it is renewed before the next call. */
export function isRenewalDue(accessToken: string, nowSeconds: number): boolean {
  const expiry = tokenExpiry(accessToken);
  return expiry !== undefined && expiry - nowSeconds < limits.accessTokenRenewSeconds;
}

/** Unix seconds at which a JWT expires; undefined if it is malformed. */
export function tokenExpiry(token: string): number | undefined {
  const { exp } = claimsOf(token);
  return typeof exp === "number" ? exp : undefined;
}

/** Whether two tokens are for one person in one organization, or what differs. */
export function compareOwners(token: string, other: string): "same" | "other person" | "other organization" {
  const [a, b] = [claimsOf(token), claimsOf(other)];
  if (a.sub !== b.sub) return "other person";
  return a.org === b.org ? "same" : "other organization";
}

/** The claims of a JWT, none if it is malformed. The server checks the signature. */
function claimsOf(token: string): { readonly [name: string]: unknown } {
  const [, payload] = token.split(".");
  if (payload === undefined) return {};
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    return typeof claims === "object" && claims !== null ? { ...claims } : {};
  } catch {
    return {};
  }
}
