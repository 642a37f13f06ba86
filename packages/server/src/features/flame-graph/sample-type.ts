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
  const exact = sampleTypes.indexOf(named);
  const index = exact === -1 ? sampleTypes.findIndex((text) => typeOf(text) === named) : exact;
  if (index !== -1) return index;
  const known = sampleTypes.map(typeOf).join(", ");
  throw unprocessable(`This ${where} has no sample type ${JSON.stringify(named)}; it has ${known}`);
}

function typeOf(sampleType: string): string {
  const slash = sampleType.lastIndexOf("/");
  return slash === -1 ? sampleType : sampleType.slice(0, slash);
}
