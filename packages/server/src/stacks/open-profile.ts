import { hash } from "node:crypto";
import {
  defaultLimits,
  hasGaugeDifferences,
  type Measure,
  measuresByType,
  measuresOf,
  type Profile,
  type ProfileStacks,
  type ReadLimits,
  type ReadResult,
  readLabelledStacks,
  readProfile,
  readStacks,
  type StackTable,
  samplesWithMeasures,
  sumStacks,
  type ValueColumn,
  withMeasures,
} from "@flamekeep/profile";
import type { Original } from "#store/payloads/read-payload.ts";
import { withDemangledFunctions, withDemangledNames } from "./demangle.ts";
import { inflate } from "./inflate.ts";

/** Bounds for damaged payloads only: an accepted profile can be opened even if the limits were lowered since. */
export const payloadLimits: ReadLimits = {
  ...defaultLimits,
  bytes: 1024 * 1024 * 1024,
  samples: 50_000_000,
  comments: 1_000_000,
  values: 400_000_000,
  frameText: Number.POSITIVE_INFINITY,
};

/** Why the stored bytes of a profile cannot be opened. */
export interface Damage {
  readonly profileId: string;
  readonly reason: string;
}

/** A result made of stored profiles, or the damage that prevented it. Plain data, because it crosses threads. */
export type Opened<T> =
  | { readonly damage: undefined; readonly value: T }
  | { readonly damage: Damage; readonly value?: never };

class DamagedProfile extends Error {
  override readonly name = "DamagedProfile";
  readonly damage: Damage;

  constructor(damage: Damage) {
    super(`Profile ${damage.profileId}: ${damage.reason}`);
    this.damage = damage;
  }
}

/**
 * The measures and samples of the type of the original. Must be called within `tryOpening`: the bytes were valid when they were accepted,
 * and may have been damaged since.
 */
export function openProfile(original: Original): Profile {
  return withDemangledFunctions(storedProfile(original));
}

/** As `openProfile`, with the samples summed by stack. */
export function openSummed(original: Original): { profile: Profile; stacks: StackTable } {
  const profile = storedProfile(original);
  const stacks = sumStacks(profile);
  return { profile, stacks: { ...stacks, frames: withDemangledNames(stacks.frames) } };
}

function storedProfile(original: Original): Profile {
  const profile = opened(original, readProfile);
  return samplesWithMeasures(profile, measuresIn(profile, profile.samples.values, original));
}

/**
 * As `openProfile`, but faster, for the stacks only. They are valid until the next call: see `readStacks`. `contentHash`
 * is the same as in the profile's row.
 */
export function openStacks(original: Original): { profile: ProfileStacks; contentHash: string } {
  return openedStacks(original, readStacks);
}

/** As `openStacks`, with the labels of the samples. */
export function openLabelledStacks(original: Original): { profile: ProfileStacks; contentHash: string } {
  return openedStacks(original, readLabelledStacks);
}

function openedStacks(
  original: Original,
  readWith: typeof readStacks,
): { profile: ProfileStacks; contentHash: string } {
  return opened(original, (raw, limits) => {
    const read = readWith(raw, limits);
    if (!read.ok) return read;
    const profile = selected(read.profile, original);
    const stacks = { ...profile.stacks, frames: withDemangledNames(profile.stacks.frames) };
    return {
      ok: true,
      profile: { profile: { ...profile, stacks }, contentHash: hash("sha256", raw, "hex") },
    };
  });
}

function selected(profile: ProfileStacks, original: Original): ProfileStacks {
  return withMeasures(profile, measuresIn(profile, profile.stacks.values, original));
}

/** Throws RangeError if only the row can tell which columns of the profile were stored. */
function measuresIn(
  profile: Profile | ProfileStacks,
  values: readonly ValueColumn[],
  { type, sampleTypes }: Original,
): readonly Measure[] {
  const isOpen =
    (type === "custom" && measuresByType(profile).size > 1) ||
    hasGaugeDifferences(profile.sampleTypes, values, profile.durationNs);
  if (sampleTypes === undefined && isOpen)
    throw new RangeError("The row says what was stored of the profile");
  return measuresOf(profile, type, sampleTypes);
}

function opened<P>(
  { profileId, payload }: Original,
  read: (raw: Uint8Array, limits: ReadLimits) => ReadResult<P>,
): P {
  const raw = inflate(payload, payloadLimits.bytes);
  if (!raw.ok) throw new DamagedProfile({ profileId, reason: `it does not inflate: ${raw.message}` });
  const result = read(raw.bytes, payloadLimits);
  if (!result.ok)
    throw new DamagedProfile({ profileId, reason: `it cannot be decoded: ${result.error.message}` });
  return result.profile;
}

/** Runs a function that opens stored profiles, and returns the damage if one cannot be opened. */
export function tryOpening<T>(run: () => T): Opened<T> {
  try {
    return { damage: undefined, value: run() };
  } catch (error) {
    if (error instanceof DamagedProfile) return { damage: error.damage };
    throw error;
  }
}
