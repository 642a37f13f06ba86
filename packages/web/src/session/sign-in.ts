import type { SignedIn } from "@flamekeep/contract";
import { storeSession } from "./session.ts";
import { endOnServer, logoutToken } from "./sign-out.ts";

/** Starts the session of this reply, and ends the one that the browser had: its tokens are overwritten. */
export function signIn(reply: SignedIn): void {
  const formerToken = logoutToken();
  storeSession(reply);
  void endOnServer(formerToken);
}
