import type { GivenTarget } from "@flamekeep/contract";
import { headerPlace, type SealedHeaders } from "#store/row/reseal-target-headers.ts";
import type { Seal } from "#store/row/seal.ts";
import type { StoredTarget } from "./queries.ts";

type Opened =
  | { readonly ok: true; readonly values: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly message: string };

export function openHeaders(
  seal: Seal,
  { orgId, id, headers }: Pick<StoredTarget, "orgId" | "id" | "headers">,
): Opened {
  const values: Record<string, string> = {};
  for (const [name, sealed] of Object.entries(headers)) {
    const opened = seal.open(sealed, headerPlace(orgId, id, name));
    if (!opened.ok) {
      const message = `The header ${name} cannot be decrypted: AUTH_SECRET changed, or its stored text. Enter it again.`;
      return { ok: false, message };
    }
    values[name] = opened.text;
  }
  return { ok: true, values };
}

/** The headers to store: a value of null stays as it is stored, and is left out where nothing is. */
export function sealHeaders(
  seal: Seal,
  given: GivenTarget["headers"],
  { orgId, id, headers: stored }: Pick<StoredTarget, "orgId" | "id" | "headers">,
): SealedHeaders {
  const byName = new Map(Object.entries(stored).map(([name, sealed]) => [name.toLowerCase(), sealed]));
  const entries = given.flatMap(({ name, value }): [string, string][] => {
    const sealed =
      value === null ? byName.get(name.toLowerCase()) : seal.seal(value, headerPlace(orgId, id, name));
    return sealed === undefined ? [] : [[name, sealed]];
  });
  return Object.fromEntries(entries);
}
