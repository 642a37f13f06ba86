import type { Role } from "@flamekeep/contract";
import { storeSession } from "#session/session.ts";
import { demoUser } from "#session/session-user.ts";
import { tokenEndingIn } from "./tokens.ts";

export const signedInId = "00000000-0000-4000-8000-0000000000ad";

/** Begins a session of a person with this role in the organization Shop. */
export function signInAs(role: Role): void {
  const user = {
    ...demoUser,
    role,
    id: signedInId,
    is_active: true,
    created_at: "2026-11-20T10:00:00.000Z",
    last_login_at: null,
    organization: { id: "00000000-0000-4000-8000-0000000000aa", name: "Shop" },
  };
  storeSession({ user, tokens: { access_token: tokenEndingIn(900), refresh_token: "refresh" } });
}
