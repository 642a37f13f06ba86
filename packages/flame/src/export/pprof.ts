import { profileOfStacks, type StackTable, writeProfile } from "@flamekeep/profile";

/**
 * The stacks as a profile for `go tool pprof`, not compressed.
 *
 * @param title its comment, because a view may be a part of a profile, or of many
 */
export function pprofBytes(stacks: StackTable, title: string): Uint8Array<ArrayBuffer> {
  const [main] = stacks.sampleTypes.slice(-1);
  const whole = { ...stacks, values: stacks.values.map(wholeNumbers) };
  return writeProfile(profileOfStacks(whole, { defaultSampleType: main?.type ?? "", comments: [title] }));
}

/** pprof has no fractions. Means over several profiles have some; sums beyond 2^53 need 64 bits. */
function wholeNumbers(values: Float64Array | BigInt64Array): Float64Array | BigInt64Array {
  if (values instanceof BigInt64Array) return values;
  const whole = values.map(Math.round);
  return whole.every(Number.isSafeInteger) ? whole : BigInt64Array.from(whole, BigInt);
}
