import { logout } from "@flamekeep/contract";
import { callRaw } from "#api/call.ts";
import { announceLogout } from "./session.ts";

/** Ends the session in the browser at once, and on the server if it can be reached. */
export async function signOut(): Promise<void> {
  const notified = callRaw(logout, {}).catch((error: unknown) => {
    console.warn("The session could not be ended on the server.", error);
  });
  announceLogout();
  await notified;
}
