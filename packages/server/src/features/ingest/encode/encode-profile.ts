import { hash } from "node:crypto";
import type { ProfileType } from "@flamekeep/contract";
import {
  defaultLimits,
  formatName,
  hashStacks,
  isCounter,
  isCumulative,
  type ProfileStacks,
  processIdentity,
  type ReadLimits,
  readLabelledStacks,
} from "@flamekeep/profile";
import type { SentDefinitions } from "#ingest/rows/definitions.ts";
import type { Encoded, ListedType } from "#ingest/rows/encoded.ts";
import { encodeRow } from "#ingest/rows/profile-columns.ts";
import { recordedProfile } from "#ingest/upload/recorded-upload.ts";
import { accepted, type Outcome } from "#ingest/upload/refusal.ts";
import type { Upload } from "#ingest/upload/upload.ts";
import { free } from "#memory/free.ts";
import { hourOf, utcDayOf } from "#store/column/utc.ts";
import { fileFact, noCpuTimeNotice } from "#store/profiles/profile-row.ts";
import { checkedGauges, gaugesNotice } from "./checks/checked-gauges.ts";
import { supposedType } from "./checks/checked-type.ts";
import { explainRefusal } from "./checks/explain-refusal.ts";
import type { TimeWindow } from "./checks/started-at.ts";
import { sessionLabel } from "./checks/tags.ts";
import { typedAndDated } from "./checks/typed-and-dated.ts";
import { type CheckedUpload, type EncodedListing, encodeListing } from "./encode-listing.ts";
import { inflateUpload, type Sending } from "./inflate-upload.ts";
import { type Listing, listedType, listingsOf } from "./listings.ts";
import { sortedByStack } from "./read-counters.ts";

const differencesNotice =
  "Less was allocated than is in use, so the counters were stored as deltas, as from /debug/pprof/delta_heap. Add delta=true: deltas are not always recognized.";

/**
 * Whether the counters of a heap profile cannot have been counted since the process started: something is in use that they do not
 * contain. Profiles of godeltaprof are recognised by nothing else, and by this only if they show memory of earlier.
 */
function areDifferences({ sampleTypes, stacks }: ProfileStacks): boolean {
  const columnOf = (name: string) => stacks.values[sampleTypes.findIndex(({ type }) => type === name)];
  return ["objects", "space"].some((what) => {
    const allocated = columnOf(`alloc_${what}`);
    const inUse = columnOf(`inuse_${what}`);
    if (allocated === undefined || inUse === undefined) return false;
    for (let i = 0; i < stacks.length; i++) if (allocated[i]! < inUse[i]!) return true;
    return false;
  });
}

/** The organization, time and limits for an upload. */
export interface EncodeScope extends TimeWindow {
  readonly orgId: string;
  /** The API key that sent it; undefined for uploads of the server, and uploads that an earlier version recorded. */
  readonly keyId?: string | undefined;
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
  /** Absent where an accepted upload is encoded again. */
  readonly retentionDaysByType?: ReadonlyMap<ProfileType, number>;
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
  const read = readInflated({ ...upload, body: kept }, raw, scope, usage);
  // Before the stacks are packed: of a large upload both are tens of megabytes.
  if (raw.buffer !== kept.buffer) free(raw);
  return read.ok ? accepted(read.value(sent)) : read;
}

/** As `encodeProfile`, for an upload that was inflated to `raw`. */
export function encodeInflated(
  upload: Upload,
  raw: Uint8Array,
  scope: EncodeScope,
  sent: SentDefinitions,
): Outcome<Encoded> {
  const read = readInflated(upload, raw, scope, { inflatedBytes: 0, samples: 0 });
  return read.ok ? accepted(read.value(sent)) : read;
}

/** The upload's row, to which the returned function adds the stacks and frames that are new. It does not read `raw` any more. */
function readInflated(
  upload: Upload,
  raw: Uint8Array,
  scope: EncodeScope,
  usage: Usage,
): Outcome<(sent: SentDefinitions) => Encoded> {
  const read = readLabelledStacks(raw, limitsOf(scope));
  if (!read.ok) return explainRefusal(read.error, raw, raw !== upload.body, supposedType(upload));
  usage.samples = read.profile.sampleCount;
  const typed = typedAndDated(upload, read.profile, scope);
  if (!typed.ok) return typed;
  const { type, started, moved } = typed.value;
  const checked = checkedGauges(read.profile, type, upload);
  if (!checked.ok) return checked;

  const { profile, gauges } = checked.value;
  const ids = hashStacks(profile.stacks);
  const identified = { ...profile, stacks: { ...profile.stacks, ids: ids.stackIds } };
  const listings = listingsOf(identified, type, upload.type);
  const [owner] = listings as readonly [Listing, ...Listing[]];
  const checkedUpload: CheckedUpload = {
    upload,
    raw,
    scope,
    startedAtMs: started.ms,
    durationNs: durationOf(upload, profile),
    contentHash: hash("sha256", raw, "hex"),
    gauges,
    moved,
    isCounted: owner.profile === identified && countsSinceStart(upload, profile),
  };
  const encoded = listings.map((listing) => encodeListing(checkedUpload, listing, owner.type));
  const requested = listedType(
    type,
    encoded.map(({ type }) => type),
  );
  const partition = { orgId: scope.orgId, day: utcDayOf(started.ms) };
  const rest = {
    ...sharedOf(encoded[0]!, listedTypes(encoded, requested)),
    type: owner.type,
    hours: [hourOf(Math.floor(started.ms / 1000))],
    untimedKey: started.source === "arrival" ? untimedKeyOf(encoded[0]!.facts) : undefined,
    payload: upload.body,
    recorded: recordedProfile(upload, {
      receivedAtMs: scope.nowMs,
      startedAtMs: started.ms,
      keyId: scope.keyId,
    }),
    ...(upload.extraFacts.has(fileFact) && { recognizedAs: formatName(raw) }),
    ...encodeRows(checkedUpload, limitsOf(scope), encoded),
  };
  return accepted((sent) => ({
    ...rest,
    rows: { ...sent.rowsOf(partition, profile.stacks, ids), ...rest.rows },
  }));
}

/** The listed types with the requested one first; undefined if it is the only one. */
function listedTypes(encoded: readonly EncodedListing[], requested: ProfileType): ListedType[] | undefined {
  if (encoded.length === 1) return undefined;
  const types = encoded.map(({ type, facts: { sampleCount } }) => ({ type, sampleCount }));
  return types.sort((a, b) => Number(b.type === requested) - Number(a.type === requested));
}

function sharedOf({ facts }: EncodedListing, listed: ListedType[] | undefined) {
  const { orgId, profileId, service, startedAtMs, sampleCount, trimmed, tags } = facts;
  const tagsKey = hash("sha256", JSON.stringify([...tags].sort()), "base64url").slice(0, 16);
  return {
    orgId,
    profileId,
    service,
    startedAtMs,
    sampleCount,
    rawBytes: facts.rawBytes,
    trimmed,
    tagsKey,
    listed,
  };
}

/** Whether the counters may count since the process started: then they are compared with the snapshot before. */
function countsSinceStart(upload: Upload, profile: ProfileStacks): boolean {
  return !upload.isDelta && durationOf(upload, profile) === 0n && isCumulative(profile);
}

/** Deep stacks cost as much as many samples. Heaps of Go have 20 to 60 frames a sample; the largest profile seen has half of the samples. */
const framesPerSample = 60;
const framesMin = 1_000_000;

function limitsOf({ inflatedBytesMax, samplesMax }: EncodeScope): ReadLimits {
  const frames = Math.max(framesMin, framesPerSample * samplesMax);
  return { ...defaultLimits, bytes: inflatedBytesMax, samples: samplesMax, frames };
}

function encodeRows(
  checked: CheckedUpload,
  limits: ReadLimits,
  encoded: readonly EncodedListing[],
): Pick<Encoded, "rows" | "cumulative" | "sdkUpload" | "notice"> {
  const { upload, raw, isCounted } = checked;
  const [owner] = encoded as readonly [EncodedListing, ...EncodedListing[]];
  const { profile, facts, type } = owner;
  const { orgId, service, tags, sampleTypes } = facts;
  const series = { orgId, service, type, sampleTypes, isCounter: profile.sampleTypes.map(isCounter), tags };
  const notice = noticeOf(checked, encoded);
  if (isCounted) {
    if (areDifferences(profile)) return { ...stored(encoded), notice: differencesNotice };
    const stackValues = sortedByStack(profile.stacks, profile.stacks.ids!);
    const identity = processIdentity(raw, limits);
    return { rows: {}, cumulative: { stackValues, series, identity, facts }, ...notice };
  }
  const isSnapshot = upload.isDelta && encoded.length === 1 && series.isCounter.includes(true);
  const session = isSnapshot ? sessionOf(upload) : undefined;
  const identity = session === undefined ? "" : processIdentity(raw, limits);
  if (session === undefined || identity === "") return { ...stored(encoded), ...notice };
  const extraFacts = new Map([...facts.extraFacts, ["process", identity], ["session", session]]);
  return {
    ...stored([{ ...owner, facts: { ...facts, extraFacts } }]),
    ...notice,
    sdkUpload: { series, identity, session },
  };
}

/** The rows of all listings, in separate memory. */
function stored(encoded: readonly EncodedListing[]): Pick<Encoded, "rows" | "cumulative"> {
  const rows = encoded.map(({ facts, added }) => encodeRow(facts, added));
  return { rows: { profiles: joined(rows) }, cumulative: undefined };
}

function joined(rows: readonly Uint8Array[]): Uint8Array {
  if (rows.length === 1) return rows[0]!;
  const all = new Uint8Array(rows.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const row of rows) {
    all.set(row, at);
    at += row.length;
  }
  return all;
}

function noticeOf(
  { gauges, moved }: CheckedUpload,
  encoded: readonly EncodedListing[],
): Pick<Encoded, "notice"> {
  const notices = [...(gauges > 0 ? [gaugesNotice] : []), ...(moved === undefined ? [] : [moved])];
  notices.push(...encoded.flatMap(({ type, facts }) => noCpuTimeNotice(type, facts.sampleTypes) ?? []));
  return notices.length > 0 ? { notice: notices.join(" ") } : {};
}

function sessionOf({ tags }: Upload): string | undefined {
  for (const [name, value] of tags) if (name === sessionLabel && value !== "") return value.slice(0, 100);
  return undefined;
}

function untimedKeyOf(facts: { orgId: string; service: string; type: string; contentHash: string }): string {
  return JSON.stringify([facts.orgId, facts.service, facts.type, facts.contentHash]);
}

function durationOf(upload: Upload, profile: ProfileStacks): bigint {
  return plausibleDuration(profile.durationNs) || plausibleDuration(upload.durationNs);
}

const yearNs = 366n * 86_400n * 1_000_000_000n;

/** A duration in nanoseconds, 0 if it is implausible: negative, or longer than a year, which no profiler records. */
function plausibleDuration(durationNs: bigint): bigint {
  return durationNs > 0n && durationNs <= yearNs ? durationNs : 0n;
}
