import type { Profile } from "./profile.ts";

/** The samples that carry one label. */
export interface LabelTotal {
  readonly key: string;
  /** A numeric label with its unit behind it: `512 bytes`. */
  readonly value: string;
  /** Sum by sample type. */
  readonly totals: number[];
}

/** What each label's samples add up to, in order of first use. A sample counts once for each of its labels. */
export function labelTotals(profile: Profile): LabelTotal[] {
  const { samples, labels, strings } = profile;
  const found = new Map<string, LabelTotal>();
  for (let sample = 0; sample < samples.length; sample++) {
    const counted = new Set<LabelTotal>();
    for (let at = samples.labelStart[sample]!; at < samples.labelStart[sample + 1]!; at++) {
      const key = strings[labels.key[at]!]!;
      const text = labels.text[at]!;
      const unit = strings[labels.unit[at]!]!;
      const value = text !== 0 ? strings[text]! : `${labels.number[at]!}${unit === "" ? "" : ` ${unit}`}`;
      const name = JSON.stringify([key, value]);
      let label = found.get(name);
      if (label === undefined) {
        label = { key, value, totals: profile.sampleTypes.map(() => 0) };
        found.set(name, label);
      }
      if (counted.has(label)) continue;
      counted.add(label);
      samples.values.forEach((column, type) => {
        label.totals[type]! += Number(column[sample]);
      });
    }
  }
  return [...found.values()];
}
