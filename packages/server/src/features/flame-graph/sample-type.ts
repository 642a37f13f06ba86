import { sampleTypeNamed } from "#decoding/sample-type-named.ts";
import { unprocessable } from "#failure";
import { toValueType } from "#store/profiles/profile-row.ts";

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
