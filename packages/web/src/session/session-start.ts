import { tokenExpiry } from "./renew-tokens.ts";
import type { SessionUser } from "./session-user.ts";
import { parseSessionUser } from "./session-user.ts";

export interface StoredSession {
  readonly demo: string | null;
  readonly accessToken: string | null;
  readonly refreshToken: string | null;
  readonly user: string | null;
}

export type SessionStart =
  | { readonly kind: "demo" }
  | { readonly kind: "restore"; readonly user: SessionUser }
  | { readonly kind: "refresh"; readonly user: SessionUser }
  | { readonly kind: "anonymous"; readonly clear: readonly ("accessToken" | "refreshToken" | "user")[] };

/** How to start a page with what the browser stored. */
export function sessionStart(stored: StoredSession, nowSeconds: number): SessionStart {
  if (stored.demo === "true") return { kind: "demo" };
  if (stored.accessToken === null || stored.user === null) return { kind: "anonymous", clear: [] };
  const expiry = tokenExpiry(stored.accessToken);
  const user = parseSessionUser(stored.user);
  if (expiry === undefined || user === undefined) {
    return { kind: "anonymous", clear: ["accessToken", "refreshToken", "user"] };
  }
  if (expiry > nowSeconds) return { kind: "restore", user };
  if (stored.refreshToken !== null) return { kind: "refresh", user };
  return { kind: "anonymous", clear: ["accessToken", "user"] };
}
