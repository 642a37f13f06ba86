import { logout } from "@flamekeep/contract";
import { callRaw } from "#api/call.ts";
import { readStored, storageKeys } from "#preferences/storage.ts";
import { isRenewalDue } from "./renew-tokens.ts";
import { announceLogout } from "./session.ts";

/** Ends the session in the browser at once, and on the server if it can be reached. */
export async function signOut(): Promise<void> {
  const token = logoutToken();
  announceLogout();
  await endOnServer(token);
}

/** The bearer that ends the stored session: the access token, or the refresh token if the access token has (almost) expired. */
export function logoutToken(): string | undefined {
  const accessToken = readStored(storageKeys.accessToken);
  const isUsable = accessToken !== null && !isRenewalDue(accessToken, Date.now() / 1000);
  return (isUsable ? accessToken : readStored(storageKeys.refreshToken)) ?? undefined;
}

/** Takes the token as an argument because the stored ones are removed or replaced before the server answers. */
export async function endOnServer(token: string | undefined): Promise<void> {
  if (token === undefined) return;
  await callRaw(logout, { token }).catch((error: unknown) => {
    console.warn("The session could not be ended on the server.", error);
  });
}
