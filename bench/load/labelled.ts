import { gzipSync } from "node:zlib";
import { type Profile, type ValueColumn, writeProfile } from "@flamekeep/profile";
import { Random } from "#random";

const handlers = Array.from({ length: 20 }, (_, number) => `/handler/${number}`);
const tenants = Array.from({ length: 5 }, (_, number) => `tenant-${number}`);
const texts = ["handler", "tenant", ...handlers, ...tenants];
/** As much of a service as its background work usually is. */
const withoutLabels = 0.2;

/**
 * The profile, gzipped, of a program that labels its requests: by 20 handlers, some busier than others, and by 5 tenants. A sample that was seen more than once is two samples with different labels.
 */
export function labelledProfile(profile: Profile, seed = 17): Buffer {
  const random = new Random(seed);
  const counts = profile.samples.values[0]!;
  const parts: Part[] = [];
  for (let sample = 0; sample < profile.samples.length; sample++) {
    const isSplit = Number(counts[sample]) > 1;
    parts.push({ sample, isRest: false, isSplit, labels: labelsOf(random) });
    if (isSplit) parts.push({ sample, isRest: true, isSplit, labels: labelsOf(random) });
  }
  return gzipSync(writeProfile(withParts(profile, parts)));
}

interface Part {
  readonly sample: number;
  readonly isSplit: boolean;
  /** Whether it has what the first part of a split sample leaves. */
  readonly isRest: boolean;
  /** Indexes of keys and values in `texts`, alternating. */
  readonly labels: readonly number[];
}

function labelsOf(random: Random): number[] {
  if (random.isTrue(withoutLabels)) return [];
  const handler = Math.floor(handlers.length * random.between(0, 1) ** 2);
  const tenant = Math.floor(random.between(0, tenants.length));
  return [0, 2 + handler, 1, 2 + handlers.length + tenant];
}

function withParts(profile: Profile, parts: readonly Part[]): Profile {
  const { samples, strings } = profile;
  const [locationStart, labelStart] = [[0], [0]];
  const location: number[] = [];
  const label: number[] = [];
  for (const { sample, labels } of parts) {
    for (let at = samples.locationStart[sample]!; at < samples.locationStart[sample + 1]!; at++)
      location.push(samples.location[at]!);
    locationStart.push(location.length);
    label.push(...labels.map((text) => strings.length + text));
    labelStart.push(label.length / 2);
  }
  const length = label.length / 2;
  return {
    ...profile,
    strings: [...strings, ...texts],
    labels: {
      length,
      key: Uint32Array.from({ length }, (_, at) => label[2 * at]!),
      text: Uint32Array.from({ length }, (_, at) => label[2 * at + 1]!),
      number: new BigInt64Array(length),
      unit: new Uint32Array(length),
    },
    samples: {
      length: parts.length,
      location: Uint32Array.from(location),
      locationStart: Uint32Array.from(locationStart),
      labelStart: Uint32Array.from(labelStart),
      values: samples.values.map((column) => valuesOf(column, parts)),
    },
  };
}

function valuesOf(column: ValueColumn, parts: readonly Part[]): Float64Array {
  return Float64Array.from(parts, ({ sample, isSplit, isRest }) => {
    const value = Number(column[sample]);
    const first = Math.floor(value / 2);
    if (!isSplit) return value;
    return isRest ? value - first : first;
  });
}
