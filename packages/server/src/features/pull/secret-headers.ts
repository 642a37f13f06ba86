import { isDeepStrictEqual } from "node:util";
import type { GivenTarget, TargetDefinition } from "@flamekeep/contract";
import { invalid } from "#failure";
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

/** The target to which headers are added; without a definition it is not stored yet. */
export interface Before extends Pick<StoredTarget, "orgId" | "id" | "headers"> {
  readonly definition?: TargetDefinition;
}

/**
 * The headers to store: a value of null stays as it is stored, and is left out where nothing is. Refused if it would go to
 * other processes than those it was entered for: everybody who may change a target could read it there.
 */
export function sealHeaders(
  seal: Seal,
  { headers: given, source, tls }: Pick<GivenTarget, "headers" | "source" | "tls">,
  { orgId, id, headers: stored, definition }: Before,
): SealedHeaders {
  const byName = new Map(Object.entries(stored).map(([name, sealed]) => [name.toLowerCase(), sealed]));
  const staysInPlace =
    isDeepStrictEqual(definition?.source, source) && isDeepStrictEqual(definition?.tls, tls);
  const entries = given.flatMap(({ name, value }): [string, string][] => {
    if (value !== null) return [[name, seal.seal(value, headerPlace(orgId, id, name))]];
    const sealed = byName.get(name.toLowerCase());
    if (sealed === undefined) return [];
    if (staysInPlace) return [[name, sealed]];
    throw invalid(
      `Enter the value of the header ${name} again: its stored value does not go to another source, or with another CA or verification.`,
    );
  });
  return Object.fromEntries(entries);
}
