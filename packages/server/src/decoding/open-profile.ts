import { defaultLimits, type Profile, readProfile } from "@flamekeep/profile";
import type { Original } from "#store/payloads/read-payload.ts";
import { inflate } from "./inflate.ts";

/**
 * What was accepted once is opened again, even if the limits were lowered since: these only bound a damaged payload.
 */
const payloadLimits = { ...defaultLimits, bytes: 1024 * 1024 * 1024, samples: 50_000_000 };

/** Why the stored bytes of a profile cannot be opened. */
export interface Damage {
  readonly profileId: string;
  readonly reason: string;
}

/** What was made of stored profiles, or the damage that kept it from being made. Plain data: it crosses threads. */
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

/** Call it within `whereOpened`: the bytes were checked when they were accepted, and may have been damaged since. */
export function openProfile({ profileId, payload }: Original): Profile {
  const raw = inflate(payload, payloadLimits.bytes);
  if (!raw.ok) throw new DamagedProfile({ profileId, reason: `it does not inflate: ${raw.message}` });
  const read = readProfile(raw.bytes, payloadLimits);
  if (!read.ok)
    throw new DamagedProfile({ profileId, reason: `it cannot be decoded: ${read.error.message}` });
  return read.profile;
}

/** Runs what opens stored profiles. */
export function whereOpened<T>(run: () => T): Opened<T> {
  try {
    return { damage: undefined, value: run() };
  } catch (error) {
    if (error instanceof DamagedProfile) return { damage: error.damage };
    throw error;
  }
}
