import type { FunctionGrouping } from "@flamekeep/contract";
import { defaultSampleType, describe, type Statistics, type ValueType } from "@flamekeep/profile";
import { type Opened, openSummed, tryOpening } from "#stacks/open-profile.ts";
import type { Original } from "#store/payloads/read-payload.ts";

interface DescribeTask extends Original {
  readonly groupBy: FunctionGrouping;
}

export interface ProfileDescription extends Statistics {
  readonly sampleType: ValueType;
}

/** The statistics of one profile over its main sample type. Runs in the decoding thread. */
export function describeProfile({ groupBy, ...stored }: DescribeTask): Opened<ProfileDescription> {
  return tryOpening(() => {
    const { profile, stacks } = openSummed(stored);
    const { type } = stored;
    const sampleType = profile.sampleTypes[defaultSampleType(profile, type)];
    const frames = { ...stacks.frames, hasInstantiations: groupBy === "instantiation" };
    return {
      ...describe(profile, type, { ...stacks, frames }),
      sampleType: sampleType ?? { type: "", unit: "" },
    };
  });
}
