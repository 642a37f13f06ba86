import type { Cluster } from "#cluster/cluster.ts";
import type { Context } from "#context";
import type { Failure } from "#failure";
import type { Encoded } from "#ingest/rows/encoded.ts";
import { clearCounters } from "#ingest/rows/profile-columns.ts";
import type { Rows } from "#ingest/rows/tables.ts";
import { findLatestIn } from "#ingest/snapshots/find-latest.ts";
import { PendingSnapshot } from "#ingest/snapshots/pending-snapshot.ts";
import { findSessionsIn, SdkSessions } from "#ingest/snapshots/sdk-sessions.ts";
import { SeriesMemory } from "#ingest/snapshots/series-memory.ts";
import type { WorkerPool } from "#ingest/threads/worker-pool.ts";
import type { Refusal } from "#ingest/upload/refusal.ts";
import type { ColumnReader } from "#store/column/query.ts";
import { scopeOf } from "#store/column/read-cache/read-cache.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import { type BatchItem, batchItemOf } from "./batch.ts";
import type { Committer } from "./committer.ts";
import type { Committed } from "./pending-item.ts";
import { retryCommit } from "./rejections.ts";

interface Parts {
  readonly committer: Committer;
  readonly series: SeriesMemory;
  readonly sessions: SdkSessions;
  /** Set if other servers may share the stores. */
  readonly cluster: Cluster | undefined;
  /** Counts the refusal; the failure is to be thrown. */
  readonly refuse: (refusal: Refusal) => Failure;
}

type Shared = Omit<Parts, "series" | "sessions">;

export function comparedUploads(
  ctx: Context,
  { pool, ...shared }: Shared & { readonly pool: WorkerPool },
): ComparedUploads {
  const stored = { ...ctx, columns: { ...ctx.columns, query: storedQuery(ctx, shared) } };
  const keepsValues = Number.isFinite(ctx.config.originalsKeptDays);
  const series = new SeriesMemory(findLatestIn(stored, pool), keepsValues);
  return new ComparedUploads({ ...shared, series, sessions: new SdkSessions(findSessionsIn(stored)) });
}

/**
 * Making the rows of postponed uploads reads too, and must not wait for itself. Nor must it wait for other members, which may wait for this
 * one: they have stored all that it compares with before it takes uploads.
 */
function storedQuery({ columns }: Context, { committer, cluster }: Shared): ColumnReader["query"] {
  return async (statement, params) => {
    if (cluster === undefined && committer.postponed.isEmpty) return columns.query(statement, params);
    await committer.written(scopeOf(params));
    return columns.direct.query(statement, params);
  };
}

/** Commits uploads, after comparing their counters with those of earlier ones. */
export class ComparedUploads {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** To be called when stored uploads were removed, or other members may have stored some. */
  forget(): void {
    this.#parts.series.clear();
    this.#parts.sessions.clear();
  }

  async commit(
    encoded: Encoded,
    definitionsGeneration: number,
    notify: (notice: string) => void,
  ): Promise<Committed> {
    const { cumulative, sdkUpload } = encoded;
    // It is compared with earlier uploads, whose rows come first.
    const isCompared = cumulative !== undefined || sdkUpload !== undefined;
    const { cluster, committer, sessions } = this.#parts;
    // Those from the log of another server were answered before, and are sent one after the other.
    const isHeld = cluster !== undefined && isCompared && encoded.isRepeat === undefined;
    const held = isHeld ? ({ isHeld } as const) : {};
    return retryCommit(batchItemOf(encoded, definitionsGeneration), async (item) => {
      const term = this.#termFor(encoded);
      const commitPostponed = () => committer.commit({ ...item, rows: {}, isPostponed: true });
      if (committer.isStoreAway || (isCompared && !committer.postponed.isEmpty)) return commitPostponed();
      const snapshot = cumulative === undefined ? {} : { snapshot: new PendingSnapshot() };
      let rows: Rows;
      try {
        rows = await this.#rowsOf(encoded, { ...item, ...snapshot }, notify);
      } catch (error) {
        if (error instanceof StoreUnavailable) return commitPostponed();
        committer.abandon(item);
        throw error;
      }
      return committer.commit({ ...item, ...held, ...term, ...snapshot, rows }).catch((error: unknown) => {
        if (sdkUpload !== undefined) sessions.forget(sdkUpload);
        throw error;
      });
    });
  }

  /** An upload that is in the log, with its rows. */
  async itemOf(encoded: Encoded, definitionsGeneration: number): Promise<BatchItem> {
    const { committer } = this.#parts;
    const item = batchItemOf(encoded, definitionsGeneration);
    try {
      return await committer.retryWhileUnavailable(async () => {
        const term = this.#termFor(encoded);
        const snapshot = encoded.cumulative === undefined ? {} : { snapshot: new PendingSnapshot() };
        const rows = await this.#rowsOf(encoded, { ...item, ...snapshot }, () => undefined);
        return { ...item, ...term, ...snapshot, rows };
      });
    } catch (error) {
      committer.abandon(item);
      throw error;
    }
  }

  /** The term in which the upload is compared. Throws NotOwner if another member compares it. */
  #termFor({ orgId, service }: Encoded): Pick<BatchItem, "term"> {
    const { cluster } = this.#parts;
    cluster?.requireOwned({ orgId, service });
    return cluster === undefined ? {} : { term: cluster.term };
  }

  /** The item's rows, after comparing counters with earlier uploads. */
  async #rowsOf(encoded: Encoded, item: BatchItem, notify: (notice: string) => void): Promise<Rows> {
    const { cumulative, sdkUpload, startedAtMs } = encoded;
    const { rows, snapshot } = item;
    if (cumulative !== undefined && snapshot !== undefined) {
      const outcome = await this.#parts.series.rowOf(cumulative, startedAtMs, snapshot);
      if (!outcome.ok) throw this.#parts.refuse(outcome.refusal);
      if (outcome.value.notice !== undefined) notify(outcome.value.notice);
      return { ...rows, profiles: outcome.value.row };
    }
    if (sdkUpload !== undefined && (await this.#parts.sessions.repeatsEarlier(sdkUpload, startedAtMs))) {
      clearCounters(rows.profiles!, sdkUpload.series.isCounter);
    }
    return rows;
  }
}
