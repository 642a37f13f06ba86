/** What decoding threads do: from the bytes of a stored profile to what a page shows. */
import { buildCallTree, encodeFlameGraph, flameJson, pruneTree } from "@flamekeep/flame";
import {
  defaultSampleType,
  describe,
  type ProfileType,
  type Statistics,
  type ValueType,
} from "@flamekeep/profile";
import { moved } from "#memory/moved.ts";
import type { Original } from "#store/payloads/read-payload.ts";
import { type Opened, openProfile, openStacks, whereOpened } from "./open-profile.ts";
import { utf8Of } from "./utf8-of.ts";

/** Of one stored profile. */
export interface StoredProfile extends Original {
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
export function drawFlameGraph(task: DrawTask): Opened<Uint8Array> {
  const drawn = whereOpened(() => draw(task));
  return drawn.damage === undefined ? moved(drawn, [drawn.value]) : drawn;
}

function draw(task: DrawTask): Uint8Array {
  const profile = openStacks(task);
  const tree = buildCallTree(
    profile.stacks,
    task.sampleType ?? defaultSampleType(profile, task.type as ProfileType),
  );
  const meta = {
    profileId: task.profileId,
    totalSamples: tree.total[0] ?? 0,
    durationMs: Number(profile.durationNs) / 1e6,
    profileHash: task.contentHash,
  };
  return task.form === "columns"
    ? encodeFlameGraph(pruneTree(tree, { maxNodes: task.maxNodes }), meta)
    : utf8Of(flameJson(tree, meta, { maxNodes: task.maxNodes }));
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
