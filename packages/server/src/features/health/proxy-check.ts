import type { CheckedPart } from "./checks.ts";

const untrusted = "X-Forwarded-For comes from an address that TRUSTED_PROXIES does not name";

/** Shown only where something is wrong; the server takes work all the same. */
export function proxyChecks(notice: string | undefined): CheckedPart[] {
  return notice === undefined
    ? []
    : [{ name: "reverse proxy", ok: true, message: untrusted, detail: notice }];
}
