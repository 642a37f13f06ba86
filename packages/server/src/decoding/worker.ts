/** What decoding threads do: from the bytes of a stored profile to what a page shows. No state between tasks. */
import { buildCallTree, encodeFlameGraph, pruneTree, toFlameJson } from "@flamekeep/flame";
import {
  defaultLimits,
  defaultSampleType,
  describe,
  type Profile,
  type ProfileType,
  readProfile,
  type Statistics,
  sumStacks,
  type ValueType,
} from "@flamekeep/profile";
import { move } from "piscina";
import { inflate } from "./inflate.ts";

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
      : new TextEncoder().encode(toFlameJson(tree, meta, { maxNodes: task.maxNodes }));
  return move(bytes) as unknown as Uint8Array;
}

/** The statistics of one profile over its main sample type, and which that is. */
export function describeProfile({ payload, type }: StoredProfile): ProfileDescription {
  const profile = openProfile(payload);
  const sampleType = profile.sampleTypes[defaultSampleType(profile, type as ProfileType)];
  return { ...describe(profile, type as ProfileType), sampleType: sampleType ?? { type: "", unit: "" } };
}

/**
 * What was accepted once is opened again, even if the limits were lowered since: these only bound a damaged payload.
 */
const payloadLimits = { ...defaultLimits, bytes: 1024 * 1024 * 1024, samples: 50_000_000 };

/** Throws where the stored bytes cannot be read: they were checked when they were accepted. */
function openProfile(payload: Uint8Array): Profile {
  const raw = inflate(payload, payloadLimits.bytes);
  if (!raw.ok) throw new Error(`A stored profile does not inflate: ${raw.message}`);
  const read = readProfile(raw.bytes, payloadLimits);
  if (!read.ok) throw new Error(`A stored profile cannot be read: ${read.error.message}`);
  return read.profile;
}
