import type { ValueType } from "@flamekeep/profile";
import { unprocessable } from "#failure";
import { toValueType } from "#store/profiles/profile-row.ts";

/** Index of the sample type called `type` or `type/unit`; -1 if there is none. */
export function sampleTypeNamed(sampleTypes: readonly ValueType[], name: string): number {
  const exact = sampleTypes.findIndex(({ type, unit }) => `${type}/${unit}` === name);
  return exact === -1 ? sampleTypes.findIndex(({ type }) => type === name) : exact;
}

/**
 * Index of the sample type a caller names, `inuse_space` or `inuse_space/bytes`; undefined when none is named.
 * Throws `unprocessable` with the names there are.
 */
export function sampleTypeIndex(
  sampleTypes: readonly string[],
  named: string | undefined,
  where = "profile",
): number | undefined {
  if (named === undefined) return undefined;
  const types = sampleTypes.map(toValueType);
  const index = sampleTypeNamed(types, named);
  if (index !== -1) return index;
  const known = types.map(({ type }) => type).join(", ");
  throw unprocessable(`This ${where} has no sample type ${JSON.stringify(named)}; it has ${known}`);
}
