import { sql } from "kysely";
import { prepared } from "./prepared.ts";
import type { RowStore } from "./row-store.ts";
import { runSteps, type Step } from "./steps.ts";

/** Allows `capacity` attempts at once, and one more every `refillMs`. Kept in the row store, so that it survives a restart. */
export interface Bucket {
  /** The counted subject, for example an account. */
  readonly subject: string;
  readonly capacity: number;
  readonly refillMs: number;
}

class BucketEmptyError extends Error {
  override readonly name = "BucketEmptyError";
}

/**
 * Takes one token from every bucket, or none where one of them is empty. Each token is taken by one conditional
 * statement, so that attempts at the same moment cannot pass together. A refusal is rolled back, so it does not wait for the disk.
 *
 * @returns milliseconds until all buckets have a token; 0 when they were taken
 */
export async function takeTokens(rows: RowStore, buckets: readonly Bucket[], now: Date): Promise<number> {
  const orThrow = () => new BucketEmptyError();
  try {
    await runSteps(
      rows,
      inOrder(buckets).map((bucket) => takeToken(rows, bucket, { now, orThrow })),
    );
    return 0;
  } catch (error) {
    if (!(error instanceof BucketEmptyError)) throw error;
    return Math.max(1, await waitMsOf(rows, buckets, now));
  }
}

/** Steps that return a token of an attempt that does not count to each bucket, and all tokens to the bucket `filled`. */
export function returnTokens(rows: RowStore, buckets: readonly Bucket[], filled?: Bucket): Step[] {
  const all = filled === undefined ? buckets : [filled, ...buckets];
  return inOrder(all).map((bucket) => ({
    statement: bucket === filled ? removal(rows, bucket) : tokenReturn(rows, bucket),
  }));
}

/** One order for all, so that two transactions in PostgreSQL never wait for each other. */
function inOrder(buckets: readonly Bucket[]): Bucket[] {
  return buckets.toSorted((a, b) => (a.subject < b.subject ? -1 : 1));
}

export async function fillBucket(rows: RowStore, bucket: Bucket): Promise<void> {
  await rows.executeQuery(removal(rows, bucket));
}

/** A bucket without a row is full. */
const removal = prepared((rows, { subject }: { readonly subject: string }) =>
  rows.deleteFrom("tokenBuckets").where("subject", "=", subject),
);

const tokenReturn = prepared(
  (rows, { subject, refillMs }: { readonly subject: string; readonly refillMs: number }) =>
    rows
      .updateTable("tokenBuckets")
      .set((eb) => ({ fullAtMs: eb("fullAtMs", "-", refillMs) }))
      .where("subject", "=", subject),
);

interface Taking {
  readonly now: Date;
  /** The error if the bucket is empty. */
  readonly orThrow: () => Error;
}

/** Takes a token in a transaction with other steps. */
export function takeToken(rows: RowStore, bucket: Bucket, { now, orThrow }: Taking): Step {
  const { subject, refillMs } = bucket;
  const nowMs = now.getTime();
  const times = { ...boundsOf(bucket, nowMs), nowMs, refillMs, oneTakenMs: nowMs + refillMs };
  return { statement: taking(rows, { subject, ...times }), orThrow };
}

interface TakingTimes extends ReturnType<typeof boundsOf> {
  readonly nowMs: number;
  readonly refillMs: number;
  /** `fullAtMs` of a bucket that was full, after this token is taken. */
  readonly oneTakenMs: number;
}

const taking = prepared((rows, values: TakingTimes & { readonly subject: string }) => {
  const { subject, nowMs, refillMs, oneTakenMs, hasTokenUntilMs, plausibleUntilMs } = values;
  const fullAtMs = sql<number>`${sql.ref("tokenBuckets.fullAtMs")}`;
  return rows
    .insertInto("tokenBuckets")
    .values({ subject, fullAtMs: oneTakenMs })
    .onConflict((conflict) =>
      conflict
        .column("subject")
        .doUpdateSet({
          fullAtMs: sql<number>`CASE WHEN ${fullAtMs} BETWEEN ${nowMs} AND ${plausibleUntilMs} THEN ${fullAtMs} + ${refillMs} ELSE ${oneTakenMs} END`,
        })
        .where((eb) =>
          eb.or([
            eb("tokenBuckets.fullAtMs", "<=", hasTokenUntilMs),
            eb("tokenBuckets.fullAtMs", ">", plausibleUntilMs),
          ]),
        ),
    );
});

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
