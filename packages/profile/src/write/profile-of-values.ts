import type { Profile } from "#model/profile.ts";
import type { ValueType } from "#model/stack-table.ts";
import { profileOfStacks, type StackFacts } from "./write-profile.ts";

export interface NamedValue extends ValueType {
  readonly value: number;
}

/** Values that no code has, such as delays of an event loop: a profile with one frame, in which each value is a sample type. */
export function profileOfValues(
  frameName: string,
  values: readonly NamedValue[],
  facts: StackFacts = {},
): Profile {
  const unknown = new Int32Array(1);
  const stacks = {
    sampleTypes: values.map(({ type, unit }) => ({ type, unit })),
    frames: { length: 1, functionName: [frameName], file: [""], line: unknown, startLine: unknown },
    length: 1,
    start: Uint32Array.of(0, 1),
    frame: Uint32Array.of(0),
    values: values.map(({ value }) => Float64Array.of(value)),
  };
  return profileOfStacks(stacks, facts);
}
