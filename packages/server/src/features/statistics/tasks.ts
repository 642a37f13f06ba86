import { defaultSampleType, describe, type Statistics, type ValueType } from "@flamekeep/profile";
import { type Opened, openProfile, tryOpening } from "#decoding/open-profile.ts";
import type { Original } from "#store/payloads/read-payload.ts";

export interface ProfileDescription extends Statistics {
  readonly sampleType: ValueType;
}

/** The statistics of one profile over its main sample type. Runs in the decoding thread. */
export function describeProfile(stored: Original): Opened<ProfileDescription> {
  return tryOpening(() => {
    const profile = openProfile(stored);
    const { type } = stored;
    const sampleType = profile.sampleTypes[defaultSampleType(profile, type)];
    return { ...describe(profile, type), sampleType: sampleType ?? { type: "", unit: "" } };
  });
}
