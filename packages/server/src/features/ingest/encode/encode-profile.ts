import { hash } from "node:crypto";
import {
  defaultLimits,
  defaultSampleType,
  hashStacks,
  isCounter,
  isCumulative,
  type ProfileStacks,
  type ProfileType,
  processIdentity,
  type ReadLimits,
  readLabelledStacks,
  type StackIds,
  sampleCountOf,
  totalOf,
} from "@flamekeep/profile";
import type { LabelledStacks } from "#decoding/labelled-stacks.ts";
import type { Upload } from "#ingest/endpoints/upload.ts";
import { accepted, type Outcome } from "#ingest/refusal.ts";
import type { SentDefinitions } from "#ingest/rows/definitions.ts";
import { encodeRow, type ProfileFacts, rowSizeOf } from "#ingest/rows/profile-columns.ts";
import { sortedByStack } from "#ingest/snapshots/read-counters.ts";
import { free } from "#memory/free.ts";
import { hourOf, utcDayOf } from "#store/column/utc.ts";
import { defaultSampleTypeFact } from "#store/profiles/profile-row.ts";
import { areDifferences, differencesNotice } from "./checks/are-differences.ts";
import { checkedGauges } from "./checks/checked-gauges.ts";
import { checkedType } from "./checks/checked-type.ts";
import { explainRefusal } from "./checks/explain-refusal.ts";
import { datedUpload, startedAt, type TimeWindow, withinWindow } from "./checks/started-at.ts";
import { cleanTags, sessionLabel, withLabelTags } from "./checks/tags.ts";
import type { Encoded } from "./encoded.ts";
import { inflateUpload, type Sending } from "./inflate-upload.ts";
import { profileIdOf } from "./profile-id.ts";
import { addedBy, storedLabels } from "./sample-labels.ts";

/** The organization, time and limits for an upload. */
export interface EncodeScope extends TimeWindow {
  readonly orgId: string;
  readonly inflatedBytesMax: number;
  /** Samples of a profile, or HTTP metrics of a batch. */
  readonly samplesMax: number;
  /** Values that a key of sample labels has in a profile. */
  readonly labelValuesMax: number;
  /** Values that a key of sample labels has in the profiles of a service and type on a day. */
  readonly labelSeriesValuesMax: number;
  /** For one request, in formats that accept several. */
  readonly profilesMax: number;
  readonly sending?: Sending;
}

/** The part of its request's limits that a profile uses. */
export interface Usage {
  inflatedBytes: number;
  /** Records of the profile, before equal stacks are summed. */
  samples: number;
}

/**
 * Turns the bytes of a profile into its rows.
 *
 * @param usage is filled in, also where the profile is refused
 */
export function encodeProfile(
  upload: Upload,
  scope: EncodeScope,
  sent: SentDefinitions,
  usage: Usage = { inflatedBytes: 0, samples: 0 },
): Outcome<Encoded> {
  const inflated = inflateUpload(upload.body, scope.inflatedBytesMax, scope.sending);
  if (!inflated.ok) return inflated;
  const { raw, kept } = inflated.value;
  usage.inflatedBytes = raw.length;
  const encoded = encodeInflated({ ...upload, body: kept }, raw, scope, sent, usage);
  if (raw.buffer !== kept.buffer) free(raw);
  return encoded;
}

function encodeInflated(
  upload: Upload,
  raw: Uint8Array,
  scope: EncodeScope,
  sent: SentDefinitions,
  usage: Usage,
): Outcome<Encoded> {
  const read = readLabelledStacks(raw, limitsOf(scope));
  if (!read.ok) return explainRefusal(read.error, raw, raw !== upload.body);
  usage.samples = read.profile.sampleCount;
  const started = startedAt(upload.startedAtMs, read.profile.timeNs, scope.nowMs);
  const window = withinWindow(started.ms, scope, datedUpload(upload.sender, started.source));
  if (!window.ok) return window;
  const typed = checkedType(upload, read.profile);
  if (!typed.ok) return typed;
  const checked = checkedGauges(read.profile, typed.value, upload);
  if (!checked.ok) return checked;

  const { profile, gauges } = checked.value;
  const isCounted = countsSinceStart(upload, profile);
  const found = isCounted ? undefined : labelsOfRow(profile, upload.service, typed.value, scope);
  const labels = found === "unreadable" ? undefined : found;
  const facts = factsOf(upload, raw, scope, {
    profile,
    gauges,
    type: typed.value,
    startedAtMs: started.ms,
    labels,
    areLabelsRecorded: isCounted ? profile.labels === undefined : found !== "unreadable",
  });
  const { orgId, profileId, service, type, startedAtMs, sampleCount, rawBytes, trimmed, tags } = facts;
  const ids = hashStacks(profile.stacks);
  return accepted({
    orgId,
    profileId,
    service,
    type,
    startedAtMs,
    sampleCount,
    rawBytes,
    trimmed,
    tagsKey: hash("sha256", JSON.stringify([...tags].sort()), "base64url").slice(0, 16),
    hours: [hourOf(Math.floor(startedAtMs / 1000))],
    untimedKey: started.source === "arrival" ? untimedKeyOf(facts) : undefined,
    payload: upload.body,
    ...encodeRows(
      upload,
      raw,
      { profile, ids, facts, labels, isCounted, type, limits: limitsOf(scope) },
      sent,
    ),
  });
}

function labelsOfRow(profile: ProfileStacks, service: string, type: ProfileType, scope: EncodeScope) {
  return storedLabels(profile, {
    sampleType: defaultSampleType(profile, type),
    valuesMax: scope.labelValuesMax,
    seriesValuesMax: scope.labelSeriesValuesMax,
    series: JSON.stringify([scope.orgId, service, type, utcDayOf(scope.nowMs)]),
  });
}

interface CheckedContent {
  readonly profile: ProfileStacks;
  readonly gauges: number;
  readonly type: ProfileType;
  readonly startedAtMs: number;
  readonly labels: LabelledStacks | undefined;
  readonly areLabelsRecorded: boolean;
}

/** Whether the counters may count since the process started: then they are compared with those of the snapshot before. */
function countsSinceStart(upload: Upload, profile: ProfileStacks): boolean {
  return !upload.isDelta && durationOf(upload, profile) === 0n && isCumulative(profile);
}

function factsOf(
  upload: Upload,
  raw: Uint8Array,
  scope: EncodeScope,
  { profile, gauges, type, startedAtMs, labels, areLabelsRecorded }: CheckedContent,
): ProfileFacts & { readonly type: ProfileType } {
  const { tags, trimmed } = cleanTags(withLabelTags(upload.tags, raw));
  const contentHash = hash("sha256", raw, "hex");
  const id = { orgId: scope.orgId, service: upload.service, type, startedAtMs, contentHash };
  const stackCount = profile.stacks.length;
  const totals = profile.stacks.values.map((column) => BigInt(totalOf(column)));
  return {
    ...id,
    profileId: profileIdOf(id),
    receivedAtMs: scope.nowMs,
    durationNs: durationOf(upload, profile),
    tags,
    extraFacts: extraFactsOf(upload, profile),
    sampleTypes: profile.sampleTypes.map((sampleType) => `${sampleType.type}/${sampleType.unit}`),
    totals,
    sampleCount: sampleCountOf(
      { sampleTypes: profile.sampleTypes, totals, stackCount },
      defaultSampleType(profile, type),
    ),
    stackCount,
    originalBytes: upload.body.length,
    rawBytes: raw.length,
    trimmed: nonZero({
      ...profile.trimmed,
      ...trimmed,
      gauges,
      label_values: labels?.foldedLabels ?? 0,
    }),
    sender: upload.sender,
    areLabelsRecorded,
  };
}

interface CheckedProfile {
  readonly profile: ProfileStacks;
  readonly ids: StackIds;
  readonly facts: ProfileFacts;
  readonly labels: LabelledStacks | undefined;
  /** See `countsSinceStart`. */
  readonly isCounted: boolean;
  readonly type: ProfileType;
  readonly limits: ReadLimits;
}

/** Deep stacks cost as much as many samples. The largest profiles seen have 20 frames a sample, and half of the samples. */
const framesPerSample = 15;
const framesMin = 1_000_000;

function limitsOf({ inflatedBytesMax, samplesMax }: EncodeScope): ReadLimits {
  const frames = Math.max(framesMin, framesPerSample * samplesMax);
  return { ...defaultLimits, bytes: inflatedBytesMax, samples: samplesMax, frames };
}

function encodeRows(
  upload: Upload,
  raw: Uint8Array,
  { profile, ids, facts, labels, isCounted, type, limits }: CheckedProfile,
  sent: SentDefinitions,
): Pick<Encoded, "rows" | "cumulative" | "sdkUpload" | "notice"> {
  const { orgId, service, tags, sampleTypes, startedAtMs } = facts;
  const table = profile.stacks;
  const definitions = sent.rowsOf({ orgId, day: utcDayOf(startedAtMs) }, table, ids);
  const series = { orgId, service, type, sampleTypes, isCounter: profile.sampleTypes.map(isCounter), tags };
  const added = { ...addedBy(table, ids.stackIds, labels), totals: facts.totals };
  const withoutComparison = () => ({
    rows: { ...definitions, profiles: encodeRow(facts, added) },
    cumulative: undefined,
  });
  if (isCounted) {
    if (areDifferences(profile)) return { ...withoutComparison(), notice: differencesNotice };
    const cumulative = {
      stackValues: sortedByStack(table, ids.stackIds),
      series,
      identity: processIdentity(raw, limits),
      facts,
    };
    return { rows: definitions, cumulative };
  }
  const session = upload.isDelta && series.isCounter.includes(true) ? sessionOf(upload) : undefined;
  const identity = session === undefined ? "" : processIdentity(raw, limits);
  if (session === undefined || identity === "") return withoutComparison();
  const withSession: ProfileFacts = {
    ...facts,
    extraFacts: new Map([...facts.extraFacts, ["process", identity], ["session", session]]),
  };
  return {
    rows: { ...definitions, profiles: encodeRow(withSession, added) },
    cumulative: undefined,
    sdkUpload: { series, identity, session, rowSize: rowSizeOf(added) },
  };
}

function sessionOf({ tags }: Upload): string | undefined {
  for (const [name, value] of tags) if (name === sessionLabel && value !== "") return value.slice(0, 100);
  return undefined;
}

function extraFactsOf(upload: Upload, { sampleTypes, defaultSampleType: named }: ProfileStacks) {
  if (!sampleTypes.some(({ type }) => type === named)) return upload.extraFacts;
  return new Map([...upload.extraFacts, [defaultSampleTypeFact, named]]);
}

function untimedKeyOf(facts: { orgId: string; service: string; type: string; contentHash: string }): string {
  return JSON.stringify([facts.orgId, facts.service, facts.type, facts.contentHash]);
}

function nonZero(counts: Readonly<Record<string, number>>): ReadonlyMap<string, number> {
  return new Map(Object.entries(counts).filter(([, count]) => count > 0));
}

function durationOf(upload: Upload, profile: ProfileStacks): bigint {
  return plausibleDuration(profile.durationNs) || plausibleDuration(upload.durationNs);
}

const yearNs = 366n * 86_400n * 1_000_000_000n;

/** A duration in nanoseconds, 0 if it is implausible: negative, or longer than a year, which no profiler records. */
function plausibleDuration(durationNs: bigint): bigint {
  return durationNs > 0n && durationNs <= yearNs ? durationNs : 0n;
}
