import { logout } from "@flamekeep/contract";
import { callRaw } from "#api/call.ts";
import { announceLogout } from "./session.ts";

/** Leaves at once; the server hears of it as well as it can. */
export async function signOut(): Promise<void> {
  const told = callRaw(logout, {}).catch((error: unknown) => {
    console.warn("The server was not told of the sign-out.", error);
  });
  announceLogout();
  await told;
}
