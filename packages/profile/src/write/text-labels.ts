import type { Profile } from "#model/profile.ts";

/** Labels of samples, which are texts: those of sample i are `start[i]` .. `start[i + 1]`. */
export interface TextLabels {
  readonly start: readonly number[];
  readonly key: readonly string[];
  readonly text: readonly string[];
}

/** The profile, which has no labels, with these. */
export function withTextLabels(profile: Profile, { start, key, text }: TextLabels): Profile {
  if (key.length === 0) return profile;
  const strings = [...profile.strings];
  const indexes = new Map<string, number>();
  const indexOf = (of: string) => {
    const known = indexes.get(of);
    if (known !== undefined) return known;
    indexes.set(of, strings.length);
    return strings.push(of) - 1;
  };
  return {
    ...profile,
    labels: {
      length: key.length,
      key: Uint32Array.from(key, indexOf),
      text: Uint32Array.from(text, indexOf),
      number: new BigInt64Array(key.length),
      unit: new Uint32Array(key.length),
    },
    samples: { ...profile.samples, labelStart: Uint32Array.from(start) },
    strings,
  };
}
