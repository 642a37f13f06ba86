import { hash } from "node:crypto";
import {
  defaultLimits,
  hashStacks,
  isCounter,
  isCumulative,
  readStacks,
  type StackTable,
  totalOf,
} from "@flamekeep/profile";
import { free } from "#memory/free.ts";
import { hourOf } from "#store/column/utc.ts";
import { checkedType } from "./checked-type.ts";
import type { SentDefinitions } from "./definitions.ts";
import { type Added, encodeFacts, encodeRow } from "./encode-row.ts";
import type { Encoded } from "./encoded.ts";
import { explained } from "./explained.ts";
import { inflateUpload, type Sending } from "./inflate-upload.ts";
import { knownDuration } from "./known-duration.ts";
import { packLines } from "./pack-lines.ts";
import { dayOf, profileIdOf } from "./profile-id.ts";
import { accepted, type Outcome } from "./refusal.ts";
import { datedProfile, startedAt, type TimeWindow, withinWindow } from "./started-at.ts";
import { cleanTags } from "./tags.ts";
import { toCumulative } from "./to-cumulative.ts";
import type { Upload } from "./upload.ts";

/** What every upload is measured by. */
export interface EncodeScope extends TimeWindow {
  readonly orgId: string;
  readonly inflatedBytesMax: number;
  readonly samplesMax: number;
  /** Of one request, in formats that take several. */
  readonly profilesMax: number;
  readonly sending?: Sending;
}

/** Everything between the bytes of a profile and its rows. */
export function encodeProfile(upload: Upload, scope: EncodeScope, sent: SentDefinitions): Outcome<Encoded> {
  const inflated = inflateUpload(upload.body, scope.inflatedBytesMax, scope.sending);
  if (!inflated.ok) return inflated;
  const { raw, kept } = inflated.value;
  const encoded = encodeInflated({ ...upload, body: kept }, raw, scope, sent);
  if (raw.buffer !== kept.buffer) free(raw);
  return encoded;
}

function encodeInflated(
  upload: Upload,
  raw: Uint8Array,
  scope: EncodeScope,
  sent: SentDefinitions,
): Outcome<Encoded> {
  const limits = { ...defaultLimits, bytes: scope.inflatedBytesMax, samples: scope.samplesMax };
  const read = readStacks(raw, limits);
  if (!read.ok) return explained(read.error, raw);
  const { profile } = read;
  const started = startedAt(upload.startedAtMs, profile.timeNs, scope.nowMs);
  const window = withinWindow(started.ms, scope, datedProfile[upload.sender]);
  if (!window.ok) return window;

  const typed = checkedType(upload, profile);
  if (!typed.ok) return typed;
  const type = typed.value;
  const { tags, trimmed } = cleanTags(upload.tags);
  const table = profile.stacks;
  const ids = hashStacks(table);
  const identity = {
    orgId: scope.orgId,
    service: upload.service,
    type,
    startedAtMs: started.ms,
    contentHash: hash("sha256", raw, "hex"),
  };
  const facts = {
    ...identity,
    profileId: profileIdOf(identity),
    receivedAtMs: scope.nowMs,
    durationNs: knownDuration(profile.durationNs) || knownDuration(upload.durationNs),
    tags,
    facts: upload.facts,
    sampleTypes: profile.sampleTypes.map((sampleType) => `${sampleType.type}/${sampleType.unit}`),
    totals: table.values.map((column) => BigInt(totalOf(column))),
    sampleCount: profile.sampleCount,
    stackCount: table.length,
    originalBytes: upload.body.length,
    rawBytes: raw.length,
    trimmed: nonZero({ ...profile.trimmed, ...trimmed }),
    sender: upload.sender,
  };
  const isSnapshotOfCounters = !upload.isDelta && facts.durationNs === 0n && isCumulative(profile);
  const { orgId, profileId } = facts;
  return accepted({
    orgId,
    profileId,
    service: upload.service,
    type,
    startedAtMs: started.ms,
    sampleCount: facts.sampleCount,
    rawBytes: facts.rawBytes,
    trimmed: facts.trimmed,
    hours: [hourOf(Math.floor(started.ms / 1000))],
    timelessKey: started.source === "arrival" ? timelessKey(facts) : undefined,
    rows: {
      ...packLines(sent.linesOf(orgId, dayOf(started.ms), table, ids)),
      ...(isSnapshotOfCounters
        ? {}
        : { profiles: encodeRow(facts, addedBy(table, ids.stackIds, facts.totals)) }),
    },
    payload: upload.body,
    cumulative: isSnapshotOfCounters
      ? {
          ...toCumulative(table, ids.stackIds),
          series: { orgId, service: upload.service, type, sampleTypes: facts.sampleTypes, tags },
          isCounter: profile.sampleTypes.map(isCounter),
          facts: encodeFacts(facts),
        }
      : undefined,
  });
}

function addedBy(table: StackTable, stackIds: Uint32Array, totals: readonly bigint[]): Added {
  const values = table.values.map((column) => column.subarray(0, table.length));
  return { stackIds: stackIds.subarray(0, 2 * table.length), totals, values };
}

function timelessKey(facts: { orgId: string; service: string; type: string; contentHash: string }): string {
  return JSON.stringify([facts.orgId, facts.service, facts.type, facts.contentHash]);
}

function nonZero(counts: Readonly<Record<string, number>>): ReadonlyMap<string, number> {
  return new Map(Object.entries(counts).filter(([, count]) => count > 0));
}
