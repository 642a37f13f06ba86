import type { Profile } from "#model/profile.ts";

/** The samples that carry one label. */
export interface LabelTotal {
  readonly key: string;
  /** A numeric label followed by its unit: `512 bytes`. */
  readonly value: string;
  /** Sum by sample type. */
  readonly totals: number[];
}

export interface LabelTotals {
  /** In order of first use. */
  readonly labels: LabelTotal[];
  /** Number of distinct labels. */
  readonly count: number;
}

/** The UI shows no more; labels may be request ids. */
const labelsMax = 10_000;

/**
 * Total of each label's samples. A sample counts once for each of its labels. Returns at most `most` labels: those
 * with the largest totals of the last sample type.
 */
export function labelTotals(profile: Profile, most = labelsMax): LabelTotals {
  const { samples, sampleTypes } = profile;
  const { labelOf, first } = distinctLabels(profile);
  const rowOf = new Int32Array(first.length).fill(-1);
  const labels = largest(profile, labelOf, first.length, most).map((label, row): LabelTotal => {
    rowOf[label] = row;
    return { ...textsAt(profile, first[label]), totals: sampleTypes.map(() => 0) };
  });
  for (let sample = 0; sample < samples.length; sample++) {
    for (let at = samples.labelStart[sample]; at < samples.labelStart[sample + 1]; at++) {
      const label = labels[rowOf[labelOf[at]] ?? -1];
      if (label === undefined) continue;
      samples.values.forEach((column, type) => {
        label.totals[type] += Number(column[sample]);
      });
    }
  }
  return { labels, count: first.length };
}

/** The label of each entry, -1 if its sample has it already; and the first entry of each label. */
function distinctLabels(profile: Profile): { labelOf: Int32Array; first: number[] } {
  const { samples, labels } = profile;
  const string = firstEqual(profile.strings);
  const indexByName = new Map<string, number>();
  const labelOf = new Int32Array(labels.length);
  const first: number[] = [];
  const lastSample: number[] = [];
  for (let sample = 0; sample < samples.length; sample++) {
    for (let at = samples.labelStart[sample]; at < samples.labelStart[sample + 1]; at++) {
      // Not by their texts: many labels may share long ones.
      const texts = `${string[labels.key[at]]} ${string[labels.text[at]]} ${string[labels.unit[at]]}`;
      const name = labels.text[at] === 0 ? `${texts} ${labels.number[at]}` : texts;
      const label = indexByName.get(name) ?? first.length;
      if (label === first.length) {
        indexByName.set(name, label);
        first.push(at);
      }
      labelOf[at] = lastSample[label] === sample ? -1 : label;
      lastSample[label] = sample;
    }
  }
  return { labelOf, first };
}

/** For each string the first that is equal. */
function firstEqual(strings: readonly string[]): Uint32Array {
  const firstIndex = new Map<string, number>();
  return Uint32Array.from(strings, (text, index) => {
    const equal = firstIndex.get(text) ?? index;
    if (equal === index) firstIndex.set(text, index);
    return equal;
  });
}

/** The labels with the largest totals of the last sample type, in order of first use. */
function largest({ samples }: Profile, labelOf: Int32Array, count: number, most: number): number[] {
  const all = Array.from({ length: count }, (_, label) => label);
  const column = samples.values.at(-1);
  if (count <= most || column === undefined) return all.slice(0, most);
  const total = new Float64Array(count);
  for (let sample = 0; sample < samples.length; sample++) {
    for (let at = samples.labelStart[sample]; at < samples.labelStart[sample + 1]; at++) {
      const label = labelOf[at];
      if (label !== -1) total[label] += Number(column[sample]);
    }
  }
  const kept = all.sort((a, b) => total[b] - total[a] || a - b).slice(0, most);
  return kept.sort((a, b) => a - b);
}

function textsAt({ labels, strings }: Profile, at: number): { key: string; value: string } {
  const text = labels.text[at];
  const unit = strings[labels.unit[at]];
  const value = text !== 0 ? strings[text] : `${labels.number[at]}${unit === "" ? "" : ` ${unit}`}`;
  return { key: strings[labels.key[at]], value };
}
