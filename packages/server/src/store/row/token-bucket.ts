import { sql } from "kysely";
import { inTransaction } from "./in-transaction.ts";
import type { RowStore } from "./row-store.ts";

/** Allows `capacity` attempts at once, and one more every `refillMs`. Kept in the row store, so that it survives a restart. */
export interface Bucket {
  /** The counted subject, for example an account. */
  readonly subject: string;
  readonly capacity: number;
  readonly refillMs: number;
}

/** Thrown inside the transaction to undo the tokens already taken. */
class BucketEmptyError extends Error {
  override readonly name = "BucketEmptyError";
}

/**
 * Takes one token from every bucket, or none where one of them is empty. Each token is taken by one conditional
 * statement, so that attempts at the same moment cannot pass together. A caller that passes its own transaction must end it with an error
 * when this returns a wait.
 *
 * @returns milliseconds until all buckets have a token; 0 when they were taken
 */
export async function takeTokens(rows: RowStore, buckets: readonly Bucket[], now: Date): Promise<number> {
  // A refusal writes nothing: a flood of attempts must not cost a sync of the disk each. The caller's own transaction has written already.
  const waitMs = rows.isTransaction ? 0 : await waitMsOf(rows, buckets, now);
  if (waitMs > 0) return waitMs;
  try {
    await inTransaction(rows, async (transaction) => {
      for (const bucket of inOrder(buckets)) {
        if (!(await takeToken(transaction, bucket, now.getTime()))) throw new BucketEmptyError();
      }
    });
    return 0;
  } catch (error) {
    if (!(error instanceof BucketEmptyError)) throw error;
    return Math.max(1, await waitMsOf(rows, buckets, now));
  }
}

/** Returns a token of an attempt that does not count to each bucket, and all tokens to the bucket `filled`. */
export async function returnTokens(
  rows: RowStore,
  buckets: readonly Bucket[],
  filled?: Bucket,
): Promise<void> {
  const all = filled === undefined ? buckets : [filled, ...buckets];
  await inTransaction(rows, async (transaction) => {
    for (const bucket of inOrder(all)) {
      if (bucket === filled) await fillBucket(transaction, bucket);
      else await returnToken(transaction, bucket);
    }
  });
}

/** One order for all, so that two transactions in PostgreSQL never wait for each other. */
function inOrder(buckets: readonly Bucket[]): Bucket[] {
  return buckets.toSorted((a, b) => (a.subject < b.subject ? -1 : 1));
}

export async function fillBucket(rows: RowStore, { subject }: Bucket): Promise<void> {
  await rows.deleteFrom("tokenBuckets").where("subject", "=", subject).execute();
}

async function returnToken(rows: RowStore, { subject, refillMs }: Bucket): Promise<void> {
  await rows
    .updateTable("tokenBuckets")
    .set((eb) => ({ fullAtMs: eb("fullAtMs", "-", refillMs) }))
    .where("subject", "=", subject)
    .execute();
}

async function takeToken(rows: RowStore, bucket: Bucket, nowMs: number): Promise<boolean> {
  const { subject, refillMs } = bucket;
  const { hasTokenUntilMs, plausibleUntilMs } = boundsOf(bucket, nowMs);
  const fullAtMs = sql<number>`${sql.ref("tokenBuckets.fullAtMs")}`;
  const taken = await rows
    .insertInto("tokenBuckets")
    .values({ subject, fullAtMs: nowMs + refillMs })
    .onConflict((conflict) =>
      conflict
        .column("subject")
        .doUpdateSet({
          fullAtMs: sql<number>`CASE WHEN ${fullAtMs} BETWEEN ${nowMs} AND ${plausibleUntilMs} THEN ${fullAtMs} + ${refillMs} ELSE ${nowMs + refillMs} END`,
        })
        .where((eb) =>
          eb.or([
            eb("tokenBuckets.fullAtMs", "<=", hasTokenUntilMs),
            eb("tokenBuckets.fullAtMs", ">", plausibleUntilMs),
          ]),
        ),
    )
    .returning("subject")
    .executeTakeFirst();
  return taken !== undefined;
}

async function waitMsOf(rows: RowStore, buckets: readonly Bucket[], now: Date): Promise<number> {
  const found = await rows
    .selectFrom("tokenBuckets")
    .selectAll()
    .where(
      "subject",
      "in",
      buckets.map(({ subject }) => subject),
    )
    .execute();
  const fullAt = new Map(found.map(({ subject, fullAtMs }) => [subject, fullAtMs]));
  const waits = buckets.map((bucket) => {
    const fullAtMs = fullAt.get(bucket.subject) ?? 0;
    const { hasTokenUntilMs, plausibleUntilMs } = boundsOf(bucket, now.getTime());
    return fullAtMs > plausibleUntilMs ? 0 : fullAtMs - hasTokenUntilMs;
  });
  return Math.max(0, ...waits);
}

/** A bucket that fills later than `plausibleUntilMs` was written by a clock that ran ahead, and counts as full. */
function boundsOf({ capacity, refillMs }: Bucket, nowMs: number) {
  return {
    hasTokenUntilMs: nowMs + (capacity - 1) * refillMs,
    plausibleUntilMs: nowMs + 2 * capacity * refillMs,
  };
}
