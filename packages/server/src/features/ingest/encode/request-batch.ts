import { hash } from "node:crypto";
import type { HttpMetric } from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import type { Encoded } from "#ingest/rows/encoded.ts";
import { encodeRow } from "#ingest/rows/profile-columns.ts";
import { RequestLines } from "#ingest/rows/request-lines.ts";
import type { MetricsSender } from "#ingest/upload/recorded-upload.ts";
import { hourOf } from "#store/column/utc.ts";
import { keyFact } from "#store/profiles/profile-row.ts";
import { profileIdOf } from "./profile-id.ts";

/** A batch's content: HTTP metrics in a form of our own endpoint. */
interface BatchContent {
  readonly raw: Uint8Array;
  /** `raw`, compressed or as it is. */
  readonly body: Uint8Array;
  readonly sender: MetricsSender;
}

interface BatchScope {
  readonly orgId: string;
  readonly keyId?: string | undefined;
  readonly nowMs: number;
}

/** HTTP requests of one service on their way to the store: their rows, and sums for the profile that counts them. */
export class RequestBatch {
  readonly #service: string;
  readonly #scope: BatchScope;
  readonly #lines: RequestLines;
  readonly #timeByDay = new Map<number, number>();
  readonly #hours = new Set<number>();
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;
  #count = 0;

  /** @param linesBytes the expected size of the rows */
  constructor(service: string, linesBytes: number, scope: BatchScope) {
    this.#service = service;
    this.#scope = scope;
    this.#lines = new RequestLines(scope.orgId, service, linesBytes);
  }

  add(atMs: number, metric: HttpMetric): void {
    this.#first = Math.min(this.#first, atMs);
    this.#last = Math.max(this.#last, atMs);
    this.#timeByDay.set(Math.floor(atMs / dayMs), atMs);
    this.#hours.add(hourOf(Math.floor(atMs / 1000)));
    this.#count++;
    this.#lines.add(atMs, metric);
  }

  encode({ raw, body, sender }: BatchContent): Encoded {
    const { orgId, keyId, nowMs } = this.#scope;
    const identity = {
      orgId,
      service: this.#service,
      type: "metrics",
      startedAtMs: this.#first,
      contentHash: hash("sha256", raw, "hex"),
    } as const;
    const profileId = profileIdOf(identity);
    const count = BigInt(this.#count);
    const facts = {
      ...identity,
      profileId,
      receivedAtMs: nowMs,
      durationNs: BigInt(this.#last - this.#first) * 1_000_000n,
      tags: new Map(),
      extraFacts: new Map(keyId === undefined ? [] : [[keyFact, keyId]]),
      sampleTypes: ["requests/count"],
      totals: [count],
      sampleCount: this.#count,
      stackCount: 0,
      originalBytes: body.length,
      rawBytes: raw.length,
      trimmed: new Map(),
      sender,
      areLabelsRecorded: true,
    };
    const added = {
      stackIds: new Uint8Array(),
      totals: [count],
      values: [new BigInt64Array()],
      labels: undefined,
    };
    return {
      orgId,
      profileId,
      service: this.#service,
      type: "metrics",
      startedAtMs: this.#first,
      sampleCount: this.#count,
      rawBytes: raw.length,
      trimmed: new Map(),
      untimedKey: undefined,
      rows: { http_requests: this.#lines.finish(profileId), profiles: encodeRow(facts, added) },
      payload: body,
      recorded: { kind: "metrics", receivedAtMs: nowMs, keyId, service: this.#service, sender },
      cumulative: undefined,
      hours: [...this.#hours],
      requestTimes: [...this.#timeByDay.values()],
    };
  }
}
