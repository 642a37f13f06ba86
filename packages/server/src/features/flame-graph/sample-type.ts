import { sampleTypeNamed, withoutUnit } from "#decoding/sample-type-named.ts";
import { unprocessable } from "#failure";

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
  const index = sampleTypeNamed(sampleTypes, named);
  if (index !== -1) return index;
  const known = sampleTypes.map(withoutUnit).join(", ");
  throw unprocessable(`This ${where} has no sample type ${JSON.stringify(named)}; it has ${known}`);
}
