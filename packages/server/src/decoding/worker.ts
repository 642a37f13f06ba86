/** What decoding threads do: from the bytes of a stored profile to what a page shows. */
import { buildCallTree } from "@flamekeep/flame";
import {
  defaultSampleType,
  describe,
  type ProfileType,
  type Statistics,
  totalOf,
  type ValueType,
} from "@flamekeep/profile";
import { moved } from "#memory/moved.ts";
import type { Original } from "#store/payloads/read-payload.ts";
import { type FlameGraphForm, flameGraphBytes } from "./flame-graph-bytes.ts";
import { type Opened, openProfile, openStacks, whereOpened } from "./open-profile.ts";
import { sampleTypeNamed } from "./sample-type-named.ts";

export interface DrawTask extends Original, FlameGraphForm {
  /** As it is filed. */
  readonly type: ProfileType;
  /** As a caller names it; undefined for the profile's main one. */
  readonly sampleType: string | undefined;
}

export interface Drawing {
  /** Columns, or JSON text in UTF-8. */
  readonly bytes: Uint8Array;
  /** As in the profile's row. */
  readonly contentHash: string;
}

export interface StoredProfile extends Original {
  readonly type: string;
}

export interface ProfileDescription extends Statistics {
  readonly sampleType: ValueType;
}

/** The flame graph of one profile. Throws RangeError where it has no such sample type. */
export function drawFlameGraph(task: DrawTask): Opened<Drawing> {
  const drawn = whereOpened(() => draw(task));
  return drawn.damage === undefined ? moved(drawn, [drawn.value.bytes]) : drawn;
}

function draw(task: DrawTask): Drawing {
  const { profile, contentHash } = openStacks(task);
  const sampleType =
    task.sampleType === undefined
      ? defaultSampleType(profile, task.type)
      : sampleTypeNamed(profile.sampleTypes, task.sampleType);
  const tree = buildCallTree(profile.stacks, sampleType);
  const meta = {
    profileId: task.profileId,
    totalSamples: Number(totalOf(profile.stacks.values[sampleType]!)),
    durationMs: Number(profile.durationNs) / 1e6,
    profileHash: contentHash,
  };
  return { bytes: flameGraphBytes(tree, meta, task), contentHash };
}

/** The statistics of one profile over its main sample type, and which that is. */
export function describeProfile(stored: StoredProfile): Opened<ProfileDescription> {
  return whereOpened(() => {
    const profile = openProfile(stored);
    const type = stored.type as ProfileType;
    const sampleType = profile.sampleTypes[defaultSampleType(profile, type)];
    return { ...describe(profile, type), sampleType: sampleType ?? { type: "", unit: "" } };
  });
}
