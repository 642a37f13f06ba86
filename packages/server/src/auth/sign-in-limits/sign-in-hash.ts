import { createHmac } from "node:crypto";
import type { Context } from "#context";

/**
 * Hashes what is stored about attempts to sign in. Keyed: there are few enough IPv4 addresses to try them all against a plain hash, and
 * people type anything into an address field, passwords included.
 */
export function signInHash(ctx: Context, text: string): string {
  return createHmac("sha256", ctx.signInKey).update(text).digest("hex");
}
