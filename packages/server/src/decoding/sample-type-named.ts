import type { ValueType } from "@flamekeep/profile";

/** Index of the sample type called `type` or `type/unit`; -1 where there is none. */
export function sampleTypeNamed(sampleTypes: readonly ValueType[], named: string): number {
  const exact = sampleTypes.findIndex(({ type, unit }) => `${type}/${unit}` === named);
  return exact === -1 ? sampleTypes.findIndex(({ type }) => type === named) : exact;
}
