import type { Context } from "#context";
import { Failure } from "#failure";
import type { RecordedUpload } from "#ingest/upload/recorded-upload.ts";
import type { LeftBehind } from "#store/payloads/payload-store.ts";
import type { BatchItem } from "./commit/batch.ts";
import type { Committer } from "./commit/committer.ts";
import { recountDoubtful } from "./commit/recount-doubtful.ts";
import { splitStored } from "./commit/stored-items.ts";
import { profileLimits } from "./endpoints/upload-endpoint.ts";
import type { Encoded } from "./rows/encoded.ts";
import type { WorkerPool } from "./threads/worker-pool.ts";

const uploadsPerQuery = 1000;
/** Reads wait until all are counted. */
const hoursPerRecount = 500;
/** Their bytes are in memory at the same time. */
const uploadsPerStep = 50;

interface Parts {
  readonly ctx: Context;
  readonly pool: Pick<WorkerPool, "encodeAgain">;
  readonly committer: Pick<
    Committer,
    "repeat" | "room" | "settle" | "retryWhileUnavailable" | "generationOf" | "runBetweenRows"
  >;
  /** Throws a Failure if a snapshot is refused. */
  readonly toItem: (encoded: Encoded, definitionsGeneration: number) => Promise<BatchItem>;
  readonly isDiskFull: () => Promise<boolean>;
  readonly stopped: AbortSignal;
}

/**
 * Encodes the uploads again that are in the upload log and whose rows an earlier process had not stored, and counts the hours again in
 * which it may have been interrupted. Resolves when that is done, or when the server stops: then the next start goes on.
 */
export async function repeatUploads(parts: Parts): Promise<void> {
  const { ctx, committer, isDiskFull, stopped } = parts;
  const { repeatable } = ctx.payloads;
  const { maintenance } = ctx.columns;
  if (repeatable === undefined) return;
  let repeated = 0;
  let failed = 0;
  for await (const uploads of inSteps(repeatable.leftBehind())) {
    const { missing, hours } = await committer.retryWhileUnavailable(() =>
      splitStored(ctx.columns.direct, uploads, (upload) => upload),
    );
    maintenance.markDoubtful(hours);
    for (const some of chunks(missing)) {
      if (stopped.aborted) return;
      const counts = await repeatMissing(parts, some);
      repeated += counts.repeated;
      failed += counts.failed;
    }
  }
  if (repeated > 0) {
    await committer.retryWhileUnavailable(() => committer.settle(undefined));
    ctx.log.info(
      { profiles: repeated },
      "the last stop was a crash: stored the rows of acknowledged uploads",
    );
  }
  const recounting = { store: maintenance, committer, log: ctx.log, isDiskFull, stopped };
  await recountDoubtful({ ...recounting, hoursPerTurn: hoursPerRecount });
  // Without the end of the recovery no index is written, so that the next start finds what is left again.
  const isComplete = failed === 0 && !stopped.aborted && maintenance.doubtfulHours().length === 0;
  if (isComplete) await repeatable.endRecovery();
}

async function repeatMissing(
  parts: Parts,
  missing: readonly LeftBehind[],
): Promise<{ readonly repeated: number; readonly failed: number }> {
  const { pool, committer, toItem, ctx } = parts;
  await committer.room();
  const encoding = missing.map(async ({ orgId, read }) => {
    const found = await read();
    // Uploads of versions that recorded nothing else were acknowledged only once their rows were stored.
    if (found === undefined) return undefined;
    const recorded = found.repeat as RecordedUpload;
    const definitionsGeneration = committer.generationOf(orgId);
    const scope = scopeOf(ctx, orgId, recorded);
    const outcome = await pool.encodeAgain({ recorded, body: found.bytes, scope, definitionsGeneration });
    return { outcome, definitionsGeneration };
  });
  // Errors are reported in order, below.
  for (const each of encoding) each.catch(() => undefined);
  let repeated = 0;
  let failed = 0;
  for (const [index, each] of encoding.entries()) {
    const { orgId, profileId } = missing[index]!;
    try {
      const encoded = await each;
      if (encoded === undefined) continue;
      const { outcome, definitionsGeneration } = encoded;
      if (!outcome.ok) throw new Failure(outcome.refusal.code, outcome.refusal.message);
      // One after the other, in the order of arrival: each snapshot is compared with the one before.
      committer.repeat(await toItem(outcome.value[0]!, definitionsGeneration));
      repeated++;
    } catch (error) {
      // Its bytes stay in the log. A refusal would be the same at the next start; any other error may be gone by then.
      if (!isRefusal(error)) failed++;
      ctx.log.error({ err: error, orgId, profileId }, "the rows of an acknowledged upload cannot be made");
    }
  }
  return { repeated, failed };
}

function scopeOf({ config }: Context, orgId: string, recorded: RecordedUpload) {
  const { ingest, retentionDays } = config;
  const { maxMetricsBytes, maxMetrics } = ingest;
  const limits =
    recorded.kind === "metrics"
      ? { inflatedBytesMax: maxMetricsBytes, samplesMax: maxMetrics }
      : profileLimits(ingest);
  return {
    orgId,
    nowMs: recorded.receivedAtMs,
    retentionDays,
    orgRetentionDays: null,
    ...limits,
    profilesMax: 1,
    labelValuesMax: ingest.labelValues,
    labelSeriesValuesMax: ingest.labelSeriesValues,
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof Failure && error.status < 500;
}

async function* inSteps(uploads: AsyncGenerator<LeftBehind>): AsyncGenerator<readonly LeftBehind[]> {
  let step: LeftBehind[] = [];
  for await (const upload of uploads) {
    step.push(upload);
    if (step.length < uploadsPerQuery) continue;
    yield step;
    step = [];
  }
  if (step.length > 0) yield step;
}

function* chunks(uploads: readonly LeftBehind[]): Generator<readonly LeftBehind[]> {
  for (let at = 0; at < uploads.length; at += uploadsPerStep) yield uploads.slice(at, at + uploadsPerStep);
}
