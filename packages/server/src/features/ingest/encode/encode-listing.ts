import { defaultSampleType, type ProfileStacks, sampleCountOf, totalOf } from "@flamekeep/profile";
import type { Added, ProfileFacts } from "#ingest/rows/profile-columns.ts";
import type { Upload } from "#ingest/upload/upload.ts";
import type { LabelledStacks } from "#stacks/labelled-stacks.ts";
import { utcDayOf } from "#store/column/utc.ts";
import {
  defaultSampleTypeFact,
  droppedTagsFact,
  keyFact,
  sharedBytesFact,
} from "#store/profiles/profile-row.ts";
import { cleanTags, withLabelTags } from "./checks/tags.ts";
import type { Listing } from "./listings.ts";
import { listedIdOf, profileIdOf } from "./profile-id.ts";
import { addedBy, storedLabels } from "./sample-labels.ts";

interface ListingScope {
  readonly orgId: string;
  readonly keyId?: string | undefined;
  readonly nowMs: number;
  readonly labelValuesMax: number;
  readonly labelSeriesValuesMax: number;
}

/** An upload whose content was checked. */
export interface CheckedUpload {
  readonly upload: Upload;
  readonly raw: Uint8Array;
  readonly scope: ListingScope;
  readonly startedAtMs: number;
  readonly durationNs: bigint;
  readonly contentHash: string;
  /** How many sample types were left out. */
  readonly gauges: number;
  /** See `typedAndDated`. */
  readonly moved: string | undefined;
  /** Whether counters are compared with the snapshot before: labels are not stored then. */
  readonly isCounted: boolean;
}

/** An upload as it is listed under one type. */
export interface EncodedListing extends Listing {
  readonly facts: ProfileFacts;
  readonly added: Added;
}

/** @param owner the type that owns the bytes */
export function encodeListing(checked: CheckedUpload, listing: Listing, owner: string): EncodedListing {
  const { profile } = listing;
  const found = checked.isCounted ? undefined : labelsOfRow(checked, listing);
  const labels = found === "unreadable" ? undefined : found;
  const areLabelsRecorded = checked.isCounted ? profile.labels === undefined : found !== "unreadable";
  const facts = factsOf(checked, listing, owner, { labels, areLabelsRecorded });
  const { stacks } = profile;
  return { ...listing, facts, added: { ...addedBy(stacks, stacks.ids!, labels), totals: facts.totals } };
}

function labelsOfRow({ upload, scope }: CheckedUpload, { profile, type }: Listing) {
  return storedLabels(profile, {
    sampleType: defaultSampleType(profile, type),
    valuesMax: scope.labelValuesMax,
    seriesValuesMax: scope.labelSeriesValuesMax,
    series: JSON.stringify([scope.orgId, upload.service, type, utcDayOf(scope.nowMs)]),
  });
}

interface RowLabels {
  readonly labels: LabelledStacks | undefined;
  readonly areLabelsRecorded: boolean;
}

function factsOf(
  { upload, raw, scope, startedAtMs, durationNs, contentHash, gauges }: CheckedUpload,
  { profile, type }: Listing,
  owner: string,
  { labels, areLabelsRecorded }: RowLabels,
): ProfileFacts {
  const { tags, trimmed, dropped } = cleanTags(withLabelTags(upload.tags, raw));
  const ownerId = profileIdOf({
    orgId: scope.orgId,
    service: upload.service,
    type: owner,
    startedAtMs,
    contentHash,
  });
  const isOwner = type === owner;
  const totals = profile.stacks.values.map((column) => BigInt(totalOf(column)));
  const stackCount = profile.stacks.length;
  const main = defaultSampleType(profile, type);
  return {
    orgId: scope.orgId,
    service: upload.service,
    type,
    startedAtMs,
    contentHash,
    profileId: isOwner ? ownerId : listedIdOf(ownerId, type),
    receivedAtMs: scope.nowMs,
    durationNs,
    tags,
    extraFacts: extraFactsOf(upload, profile, { isOwner, keyId: scope.keyId, dropped }),
    sampleTypes: profile.sampleTypes.map((sampleType) => `${sampleType.type}/${sampleType.unit}`),
    totals,
    sampleCount: sampleCountOf({ sampleTypes: profile.sampleTypes, totals, stackCount }, main),
    stackCount,
    // Stored bytes count once.
    originalBytes: isOwner ? upload.body.length : 0,
    rawBytes: isOwner ? raw.length : 0,
    trimmed: nonZero({ ...profile.trimmed, ...trimmed, gauges, label_values: labels?.foldedLabels ?? 0 }),
    sender: upload.sender,
    areLabelsRecorded,
  };
}

interface FactsOfRow {
  readonly isOwner: boolean;
  readonly keyId: string | undefined;
  /** Names of dropped tags. */
  readonly dropped: readonly string[];
}

function extraFactsOf(
  { extraFacts, body }: Upload,
  { sampleTypes, defaultSampleType: named }: ProfileStacks,
  { isOwner, keyId, dropped }: FactsOfRow,
): ReadonlyMap<string, string> {
  const facts = new Map(extraFacts);
  if (keyId !== undefined) facts.set(keyFact, keyId);
  if (dropped.length > 0) facts.set(droppedTagsFact, dropped.join("\n"));
  if (sampleTypes.some(({ type }) => type === named)) facts.set(defaultSampleTypeFact, named);
  if (!isOwner) facts.set(sharedBytesFact, String(body.length));
  return facts;
}

function nonZero(counts: Readonly<Record<string, number>>): ReadonlyMap<string, number> {
  return new Map(Object.entries(counts).filter(([, count]) => count > 0));
}
