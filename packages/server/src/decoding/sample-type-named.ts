/** Index among `type/unit` of the sample type called `type` or `type/unit`; -1 where there is none. */
export function sampleTypeNamed(sampleTypes: readonly string[], named: string): number {
  const exact = sampleTypes.indexOf(named);
  return exact === -1 ? sampleTypes.findIndex((text) => withoutUnit(text) === named) : exact;
}

/** A type's name may hold slashes, a unit does not. */
export function withoutUnit(sampleType: string): string {
  const slash = sampleType.lastIndexOf("/");
  return slash === -1 ? sampleType : sampleType.slice(0, slash);
}
