/** What decoding threads do: from the bytes of a stored profile to what a page shows. */
import { buildCallTree, encodeFlameGraph, flameJson, pruneTree } from "@flamekeep/flame";
import {
  defaultSampleType,
  describe,
  type ProfileType,
  type Statistics,
  sumStacks,
  type ValueType,
} from "@flamekeep/profile";
import { move } from "piscina";
import { openProfile } from "./open-profile.ts";
import { utf8Of } from "./utf8-of.ts";

/** Of one stored profile. */
export interface StoredProfile {
  readonly payload: Uint8Array;
  readonly profileId: string;
  readonly type: string;
  readonly contentHash: string;
}

export interface DrawTask extends StoredProfile {
  /** Index of the sample type to draw; undefined for the profile's main one. */
  readonly sampleType: number | undefined;
  readonly form: "columns" | "json";
  readonly maxNodes: number;
}

export interface ProfileDescription extends Statistics {
  readonly sampleType: ValueType;
}

/** The flame graph of one profile, as columns or as JSON text in UTF-8. */
export function drawFlameGraph(task: DrawTask): Uint8Array {
  const profile = openProfile(task.payload);
  const stacks = sumStacks(profile);
  const tree = buildCallTree(stacks, task.sampleType ?? defaultSampleType(profile, task.type as ProfileType));
  const meta = {
    profileId: task.profileId,
    totalSamples: tree.total[0] ?? 0,
    durationMs: Number(profile.durationNs) / 1e6,
    profileHash: task.contentHash,
  };
  const bytes =
    task.form === "columns"
      ? encodeFlameGraph(pruneTree(tree, { maxNodes: task.maxNodes }), meta)
      : utf8Of(flameJson(tree, meta, { maxNodes: task.maxNodes }));
  return move(bytes) as unknown as Uint8Array;
}

/** The statistics of one profile over its main sample type, and which that is. */
export function describeProfile({ payload, type }: StoredProfile): ProfileDescription {
  const profile = openProfile(payload);
  const sampleType = profile.sampleTypes[defaultSampleType(profile, type as ProfileType)];
  return { ...describe(profile, type as ProfileType), sampleType: sampleType ?? { type: "", unit: "" } };
}
