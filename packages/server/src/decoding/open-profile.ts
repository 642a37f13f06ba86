import { defaultLimits, type Profile, readProfile } from "@flamekeep/profile";
import { inflate } from "./inflate.ts";

/**
 * What was accepted once is opened again, even if the limits were lowered since: these only bound a damaged payload.
 */
const payloadLimits = { ...defaultLimits, bytes: 1024 * 1024 * 1024, samples: 50_000_000 };

/** Throws where the stored bytes cannot be read: they were checked when they were accepted. */
export function openProfile(payload: Uint8Array): Profile {
  const raw = inflate(payload, payloadLimits.bytes);
  if (!raw.ok) throw new Error(`A stored profile does not inflate: ${raw.message}`);
  const read = readProfile(raw.bytes, payloadLimits);
  if (!read.ok) throw new Error(`A stored profile cannot be read: ${read.error.message}`);
  return read.profile;
}
