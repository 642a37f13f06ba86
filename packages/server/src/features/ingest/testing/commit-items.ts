import { onTestFinished } from "vitest";
import type { Context } from "#context";
import { IngestCounters } from "#ingest/admission/ingest-counters.ts";
import type { BatchItem } from "#ingest/commit/batch.ts";
import { Committer } from "#ingest/commit/committer.ts";
import { type EncodeScope, encodeProfile } from "#ingest/encode/encode-profile.ts";
import { SentDefinitions } from "#ingest/rows/definitions.ts";
import type { Cumulative } from "#ingest/rows/encoded.ts";
import { type Picture, pprofOf } from "./pprof-of.ts";

/** Limits that no upload of these tests reaches. */
export function smallScope(orgId: string, nowMs: number): EncodeScope {
  return {
    orgId,
    nowMs,
    retentionDays: 30,
    inflatedBytesMax: 1e6,
    samplesMax: 1e4,
    profilesMax: 1,
    labelValuesMax: 100,
    labelSeriesValuesMax: 1000,
  };
}

interface Encoding {
  readonly orgId: string;
  readonly nowMs: number;
  readonly startedAtMs?: number;
  readonly type?: "cpu" | "mutex";
  readonly sent?: SentDefinitions;
}

/** A profile of service `s`, encoded and ready to be committed. */
export function encodedItem(
  picture: Picture,
  { orgId, nowMs, startedAtMs = nowMs, type = "cpu", sent = new SentDefinitions() }: Encoding,
): { readonly item: BatchItem; readonly cumulative: Cumulative | undefined } {
  const upload = {
    service: "s",
    type,
    nameHint: undefined,
    startedAtMs,
    durationNs: 0n,
    tags: [],
    extraFacts: new Map(),
    isDelta: false,
    sender: "api",
    body: Uint8Array.from(pprofOf(picture)),
  } as const;
  const encoded = encodeProfile(upload, smallScope(orgId, nowMs), sent);
  if (!encoded.ok) throw new Error(encoded.refusal.message);
  const { profileId, rows, payload, recorded, hours, cumulative } = encoded.value;
  const item = {
    orgId,
    service: "s",
    profileId,
    type,
    rows,
    payload,
    recorded,
    hours,
    definitionsGeneration: 0,
  };
  return { item, cumulative };
}

interface CommitterParts {
  readonly store?: Context["columns"];
  readonly payloads?: Context["payloads"];
  readonly dedupNamespace?: () => Promise<string>;
  readonly isRemovedSince?: () => Promise<boolean>;
  /** Default: an item is committed once its rows are stored. */
  readonly acknowledge?: "log" | "stored";
  readonly isCurrent?: (term: number) => boolean;
  /** Whether reads of the server's column store wait for its rows: not if it is to end with some that are not stored. Default: they do. */
  readonly isAwaited?: boolean;
}

/** A committer of a test that is not the server's, over its stores or others. */
export function separateCommitter(
  { columns, payloads: ownPayloads, log, metrics, disk }: Context,
  {
    store = columns,
    payloads = ownPayloads,
    dedupNamespace = async () => "0",
    isRemovedSince = async () => false,
    acknowledge = "stored",
    isCurrent = () => true,
    isAwaited = true,
  }: CommitterParts = {},
): Committer {
  const committer = new Committer({
    store,
    payloads,
    log,
    disk,
    acknowledge,
    isCurrent,
    rowsWaitMs: 10_000,
    counters: new IngestCounters(metrics, { usedBytes: 0, oldestSeconds: 0 }),
    removalWatch: {
      dedupNamespace,
      unfinished: async () => new Set<string>(),
      isRemovedSince,
    },
  });
  // Other tests read the same column store.
  if (isAwaited) onTestFinished(columns.awaitedRows.add(committer));
  return committer;
}
