import type { ValueType } from "@flamekeep/profile";

/** Index of the sample type called `type` or `type/unit`; -1 if there is none. */
export function sampleTypeNamed(sampleTypes: readonly ValueType[], name: string): number {
  const exact = sampleTypes.findIndex(({ type, unit }) => `${type}/${unit}` === name);
  return exact === -1 ? sampleTypes.findIndex(({ type }) => type === name) : exact;
}
