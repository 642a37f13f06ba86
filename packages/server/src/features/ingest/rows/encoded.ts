import { hash } from "node:crypto";
import type { ProfileType, StoredType } from "@flamekeep/contract";
import type { HistogramPoint } from "#ingest/upload/histogram.ts";
import type { RecordedUpload } from "#ingest/upload/recorded-upload.ts";
import type { Outcome } from "#ingest/upload/refusal.ts";
import type { Counters } from "./counters.ts";
import type { ProfileFacts } from "./profile-columns.ts";
import type { Rows } from "./tables.ts";

/** An upload as it will be stored: plain data that comes from a worker. */
export interface Encoded {
  readonly orgId: string;
  readonly profileId: string;
  readonly service: string;
  /** The type that owns the bytes. */
  readonly type: StoredType;
  readonly startedAtMs: number;
  readonly sampleCount: number;
  /** All types that the upload is listed under, the requested one first; absent if it is only the one that owns the bytes. */
  readonly listed?: readonly ListedType[] | undefined;
  /** Where in a request of several profiles it is, as a sender reads it: `Series 1, sample 0`. */
  readonly place?: string;
  /** Size of the upload after inflating. */
  readonly rawBytes: number;
  /** Counts of what limits removed; empty if nothing. */
  readonly trimmed: ReadonlyMap<string, number>;
  /** The format of a file in words, such as "a speedscope file". */
  readonly recognizedAs?: string;
  /** How it should be sent instead, although it can be stored. */
  readonly notice?: string;
  /** Identifies the profile's tags; absent for HTTP metrics, which have none. */
  readonly tagsKey?: string | undefined;
  /** Set if the time is the time of arrival: the same content sent again would get another id. */
  readonly untimedKey: string | undefined;
  /** As `BatchItem.isRepeat`. */
  readonly isRepeat?: true;
  /** Without the row of `profiles` where `cumulative` is set. */
  readonly rows: Rows;
  /** The upload as it was sent, less the compression of the sending. */
  readonly payload: Uint8Array;
  /** With it the payload is encoded again. */
  readonly recorded: RecordedUpload;
  readonly cumulative: Cumulative | undefined;
  /** Starts of the hours (Unix seconds) whose roll-ups count the rows. */
  readonly hours: readonly number[];
  /** Set if the counters may repeat counts that an earlier session of the same process has sent. */
  readonly sdkUpload?: SdkUpload | undefined;
  /** For HTTP metrics: a time for each day (UTC) that has requests; a day is stored completely or not at all. */
  readonly requestTimes?: readonly number[];
}

/** The uploads of a request, with remarks about parts of it that are not stored. */
export type EncodedRequest = Outcome<readonly Encoded[]> & {
  readonly rejected?: Rejected;
  /** Counts of parts that nobody needs, by kind. */
  readonly dropped?: ReadonlyMap<string, number>;
  /** Counts that become uploads once they are compared with the report before. */
  readonly histograms?: readonly HistogramPoint[];
};

/** Parts of an accepted request that were refused, and why. */
export interface Rejected {
  readonly count: number;
  readonly message: string;
}

export function bothRejected(a: Rejected | undefined, b: Rejected | undefined): Rejected | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return { count: a.count + b.count, message: `${a.message} ${b.message}` };
}

export interface ListedType {
  readonly type: ProfileType;
  readonly sampleCount: number;
}

/** A snapshot with counters since the process began: its additions follow from a comparison with the snapshot before. */
export interface Cumulative {
  readonly series: Series;
  /** Ids ascending; all sample types, counters and gauges. */
  readonly stackValues: Counters;
  /** Identity of the process that made the snapshot; see `processIdentity` of packages/profile. */
  readonly identity: string;
  /** For the row of `profiles`. */
  readonly facts: ProfileFacts;
}

/** A profile that a Pyroscope SDK sent: its counters are deltas, but the first ones of a session count since the process started. */
export interface SdkUpload {
  readonly series: Series;
  readonly identity: string;
  readonly session: string;
}

/** Snapshots of one series are comparable: they come from the same program in the same place. */
export interface Series {
  readonly orgId: string;
  readonly service: string;
  readonly type: StoredType;
  readonly sampleTypes: readonly string[];
  /** By sample type. */
  readonly isCounter: readonly boolean[];
  readonly tags: ReadonlyMap<string, string>;
}

/** A hash, because tags may be tens of kilobytes long and thousands of keys are remembered. */
export function seriesKey({ orgId, service, type, sampleTypes, tags }: Series): string {
  return hash("sha256", JSON.stringify([orgId, service, type, sampleTypes, [...tags]]), "base64");
}
