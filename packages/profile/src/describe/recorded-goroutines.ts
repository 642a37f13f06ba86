import type { Profile } from "#model/profile.ts";
import { sumSamples } from "#stacks/sum-stacks.ts";

/** The goroutines with one stack, as a goroutine dump (`debug=2`) records them. */
export interface RecordedGoroutines {
  /** Number of goroutines by state. */
  readonly states: Map<string, number>;
  /** Number of goroutines by the function that started them. */
  readonly creators: Map<string, number>;
  /** The longest wait; undefined where all are shorter than a minute. */
  waitMinutes: number | undefined;
}

/**
 * By stack of `sumStacks`, from the labels that the reader of dumps gives to samples. Undefined unless each sample has a state, because
 * programs may use the same label for other things.
 *
 * @param type the sample type that counts goroutines
 */
export function recordedGoroutines(
  profile: Profile,
  type: number,
): ReadonlyMap<number, RecordedGoroutines> | undefined {
  const { samples, labels } = profile;
  const counts = samples.values[type];
  if (counts === undefined || samples.length === 0 || labels.length < samples.length) return undefined;
  const goroutines = Array.from({ length: samples.length }, (_, sample) => labelsOfSample(profile, sample));
  if (!goroutines.every((known) => known.has("state"))) return undefined;
  const { stackOf } = sumSamples(profile);
  const recorded = new Map<number, RecordedGoroutines>();
  for (const [sample, known] of goroutines.entries()) {
    const stack = stackOf[sample];
    const found = recorded.get(stack) ?? { states: new Map(), creators: new Map(), waitMinutes: undefined };
    recorded.set(stack, found);
    const count = Number(counts[sample]);
    add(found.states, known.get("state"), count);
    add(found.creators, known.get("created_by"), count);
    const minutes = Number(known.get("wait_minutes") ?? Number.NaN);
    if (minutes > 0) found.waitMinutes = Math.max(minutes, found.waitMinutes ?? 0);
  }
  return recorded;
}

/** Undefined for an empty map. */
export function mostCommon(counts: ReadonlyMap<string, number> | undefined): string | undefined {
  let most: string | undefined;
  for (const [name, count] of counts ?? [])
    if (most === undefined || count > (counts?.get(most) ?? 0)) most = name;
  return most;
}

function labelsOfSample({ samples, labels, strings }: Profile, sample: number): Map<string, string> {
  const found = new Map<string, string>();
  for (let at = samples.labelStart[sample]; at < samples.labelStart[sample + 1]; at++)
    found.set(strings[labels.key[at]], strings[labels.text[at]]);
  return found;
}

function add(counts: Map<string, number>, name: string | undefined, count: number): void {
  if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + count);
}
