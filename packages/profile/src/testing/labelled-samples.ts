import type { Profile } from "#model/profile.ts";

/** The samples of a profile with their stacks, root first, and their labels of text. */
export function labelledSamples({ samples, locations, functions, labels, strings }: Profile) {
  return Array.from({ length: samples.length }, (_, i) => {
    const frames = Array.from(
      samples.location.subarray(samples.locationStart[i], samples.locationStart[i + 1]),
      (location) => strings[functions.name[locations.lineFunction[locations.lineStart[location]!]!]!]!,
    );
    const pairs: [string, string][] = [];
    for (let j = samples.labelStart[i]!; j < samples.labelStart[i + 1]!; j++)
      pairs.push([strings[labels.key[j]!]!, strings[labels.text[j]!]!]);
    return { stack: frames.reverse().join(";"), labels: Object.fromEntries(pairs) };
  });
}
