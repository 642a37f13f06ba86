import type { Check } from "@flamekeep/contract";

/** Shown only where something is wrong; the server takes work all the same. */
export function proxyChecks(notice: string | undefined): Check[] {
  return notice === undefined ? [] : [{ name: "reverse proxy", ok: true, message: notice }];
}
