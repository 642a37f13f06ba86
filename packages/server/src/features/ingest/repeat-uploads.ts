import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "#context";
import { Failure, isPassing } from "#failure";
import type { RecordedUpload } from "#ingest/upload/recorded-upload.ts";
import type { SeriesHour } from "#store/column/column-store.ts";
import type { LeftBehind, Repeatable } from "#store/payloads/payload-store.ts";
import { type BatchItem, seriesHours } from "./commit/batch.ts";
import type { Committer } from "./commit/committer.ts";
import type { PostponedUpload } from "./commit/postponed-uploads.ts";
import { recountDoubtful } from "./commit/recount-doubtful.ts";
import { serviceWasRemoved } from "./commit/rejections.ts";
import { splitStored } from "./commit/stored-items.ts";
import { profileLimits } from "./endpoints/upload-endpoint.ts";
import type { OwnedUploads } from "./owners/owned-uploads.ts";
import { RefusedUploads } from "./owners/refused-uploads.ts";
import type { Encoded } from "./rows/encoded.ts";
import type { WorkerPool } from "./threads/worker-pool.ts";

const uploadsPerQuery = 1000;
/** Their bytes are in memory at the same time. */
const uploadsPerStep = 50;
const againMs = 2_000;
const refusedMsMin = 100;

interface Parts {
  readonly ctx: Context;
  readonly pool: Pick<WorkerPool, "encodeAgain">;
  readonly committer: Pick<
    Committer,
    "repeat" | "room" | "written" | "retryWhileUnavailable" | "generationOf" | "postponed" | "runBetweenRows"
  >;
  /** Throws a Failure if a snapshot is refused. */
  readonly toItem: (encoded: Encoded, definitionsGeneration: number) => Promise<BatchItem>;
  /** Set in a cluster: another member may own the service of an upload by now. */
  readonly owners?: OwnedUploads | undefined;
  /** Whether its service was removed after it came. */
  readonly isRemoved: (upload: {
    readonly orgId: string;
    readonly recorded: RecordedUpload;
  }) => Promise<boolean>;
  readonly isDiskFull: () => Promise<boolean>;
  readonly stopped: AbortSignal;
}

/** An upload in the log whose rows may be missing. */
interface Upload extends Pick<LeftBehind, "orgId" | "profileId" | "read"> {
  /** Set if this process has postponed it. */
  readonly postponed?: PostponedUpload;
  /** Set if its owner has refused it. */
  readonly service?: string;
}

interface Work extends Parts {
  readonly refused: RefusedUploads<Upload>;
}

/**
 * Encodes uploads again that are in the log and have no rows: first those that an earlier process left, then those that were postponed
 * because the column store was away. Counts the hours again in which an earlier process may have been interrupted. Ends when the server
 * stops: the next start goes on. Errors are logged: reads and uploads go on.
 */
export async function repeatUploads(parts: Parts): Promise<void> {
  const { ctx, committer, stopped } = parts;
  const work: Work = { ...parts, refused: new RefusedUploads(ctx.log) };
  committer.postponed.isRecovered = false;
  await recover(work).catch((error: unknown) => {
    ctx.log.error({ err: error }, "the rows of acknowledged uploads could not be stored");
  });
  committer.postponed.isRecovered = true;
  for await (const uploads of committer.postponed.take(uploadsPerQuery, stopped)) {
    const again = uploads.map((postponed) => ({
      ...postponed,
      postponed,
      read: () => ctx.payloads.readAgain(postponed),
    }));
    let counts: Counts | undefined;
    while (counts === undefined && !stopped.aborted) {
      counts = await repeatAll(work, again).catch(async (error: unknown) => {
        ctx.log.error({ err: error }, "the rows of postponed uploads cannot be stored now");
        await sleep(againMs, undefined, { signal: stopped }).catch(() => undefined);
        return undefined;
      });
    }
    const later = await repeatRefused(work);
    ctx.log.info(
      { profiles: (counts?.repeated ?? 0) + later.repeated },
      "stored uploads that had waited for the column store",
    );
  }
  committer.postponed.end();
}

async function recover(parts: Work): Promise<void> {
  const { ctx, committer, isDiskFull, stopped } = parts;
  const { maintenance } = ctx.columns;
  let repeated = 0;
  let failed = 0;
  const note = (counts: Counts) => {
    maintenance.markDoubtful(counts.hours);
    repeated += counts.repeated;
    failed += counts.failed;
  };
  for await (const uploads of inSteps(ctx.payloads.leftBehind())) {
    note(await repeatAll(parts, uploads));
    if (stopped.aborted) return;
  }
  note(await repeatRefused(parts));
  if (stopped.aborted) return;
  if (repeated > 0) {
    await committer.retryWhileUnavailable(() => committer.written(undefined));
    ctx.log.info(
      { profiles: repeated },
      "stored the rows of acknowledged uploads, which a crash or the copy of a running server had left out",
    );
  }
  await recountDoubtful({ store: maintenance, committer, log: ctx.log, isDiskFull, stopped });
  // Without the end of the recovery no index is written, so that the next start finds what is left again.
  const isComplete = failed === 0 && !stopped.aborted && maintenance.doubtfulHours().length === 0;
  if (isComplete) await ctx.payloads.endRecovery();
}

interface Counts {
  readonly repeated: number;
  readonly failed: number;
  readonly hours: readonly SeriesHour[];
}

/**
 * @returns also the hours that count them. Roll-ups may lack those that are stored, and a copied folder may have newer roll-ups than rows,
 * so that they count those that are missing, too.
 */
async function repeatAll(parts: Work, uploads: readonly Upload[]): Promise<Counts> {
  const { ctx, committer } = parts;
  const { stored, missing, hours } = await committer.retryWhileUnavailable(() =>
    splitStored(ctx.columns.direct, uploads, (upload) => upload),
  );
  for (const { postponed } of stored) postponed?.pending?.resolveAs("duplicate");
  const counts = await repeatChunks(parts, missing);
  return { ...counts, hours: [...hours, ...counts.hours] };
}

/** Repeats refused uploads until their owners have all of them, or the server stops. */
async function repeatRefused(parts: Work): Promise<Counts> {
  const { committer, refused, stopped } = parts;
  const all = { repeated: 0, failed: 0, hours: [] as SeriesHour[] };
  for (let waitMs = refusedMsMin; refused.size > 0 && !stopped.aborted; ) {
    committer.postponed.refusal = refused.latest;
    await sleep(waitMs, undefined, { signal: stopped }).catch(() => undefined);
    const counts = await repeatChunks(parts, refused.takeAll());
    waitMs = counts.repeated > 0 ? refusedMsMin : Math.min(2 * waitMs, againMs);
    add(all, counts);
  }
  committer.postponed.refusal = undefined;
  return all;
}

async function repeatChunks(parts: Work, uploads: readonly Upload[]): Promise<Counts> {
  const all = { repeated: 0, failed: 0, hours: [] as SeriesHour[] };
  for (const some of chunks(uploads)) {
    if (parts.stopped.aborted) break;
    add(all, await repeatMissing(parts, some));
  }
  return all;
}

function add(all: { repeated: number; failed: number; hours: SeriesHour[] }, counts: Counts): void {
  all.repeated += counts.repeated;
  all.failed += counts.failed;
  all.hours.push(...counts.hours);
}

async function repeatMissing(parts: Work, missing: readonly Upload[]): Promise<Counts> {
  const { committer, ctx, owners, stopped } = parts;
  await committer.room();
  const encoding = missing.map((upload) => (owners === undefined ? encodeAgain(parts, upload) : undefined));
  // Errors are reported in order, below.
  for (const each of encoding) each?.catch(() => undefined);
  const items: Pick<BatchItem, "orgId" | "service" | "hours">[] = [];
  let failed = 0;
  for (const [index, each] of encoding.entries()) {
    const { orgId, profileId, postponed } = missing[index]!;
    // The next start goes on. Each of them might wait for its owner.
    if (stopped.aborted && owners !== undefined) break;
    try {
      // One after the other, in the order of arrival: each snapshot is compared with the one before.
      const item =
        owners === undefined
          ? await repeatHere(parts, await each, postponed)
          : await repeatAtOwner(parts, missing[index]!, owners);
      if (item !== undefined) items.push(item);
    } catch (error) {
      // Its bytes stay in the log. A refusal would be the same at the next start; any other error may be gone by then.
      if (!isRefusal(error)) {
        failed++;
        if (postponed !== undefined) committer.postponed.leaveToNextStart(postponed);
      }
      postponed?.pending?.reject(error as Error);
      ctx.log.error({ err: error, orgId, profileId }, "the rows of an acknowledged upload cannot be made");
    }
  }
  return { repeated: items.length, failed, hours: seriesHours(items) };
}

interface EncodedAgain {
  readonly outcome: Awaited<ReturnType<WorkerPool["encodeAgain"]>>;
  readonly definitionsGeneration: number;
}

async function encodeAgain(
  { ctx, pool, committer }: Parts,
  { orgId, read }: Pick<Upload, "orgId" | "read">,
): Promise<EncodedAgain | undefined> {
  const found = await read();
  // Uploads of versions that recorded nothing else were acknowledged only once their rows were stored.
  if (found === undefined) return undefined;
  const recorded = found.repeat as RecordedUpload;
  const definitionsGeneration = committer.generationOf(orgId);
  const scope = repeatScopeOf(ctx, orgId, recorded);
  const outcome = await pool.encodeAgain({ recorded, body: found.bytes, scope, definitionsGeneration });
  return { outcome, definitionsGeneration };
}

async function repeatHere(
  { committer, toItem }: Parts,
  encoded: EncodedAgain | undefined,
  postponed: PostponedUpload | undefined,
): Promise<BatchItem | undefined> {
  if (encoded === undefined) return undefined;
  const { outcome, definitionsGeneration } = encoded;
  if (!outcome.ok) throw new Failure(outcome.refusal.code, outcome.refusal.message);
  const item = await toItem(outcome.value[0]!, definitionsGeneration);
  committer.repeat(item, postponed);
  return item;
}

/** An upload that another member stores is finished here: the log of that one has it. One that its owner refuses is tried again later. */
async function repeatAtOwner(
  parts: Work,
  upload: Upload,
  owners: OwnedUploads,
): Promise<BatchItem | undefined> {
  const { refused, stopped } = parts;
  const { orgId } = upload;
  const isBlocked = (service: string) => refused.isBlocked(owners.cluster, { orgId, service });
  const found = upload.service !== undefined && isBlocked(upload.service) ? undefined : await upload.read();
  const service = upload.service ?? (found?.repeat as RecordedUpload | undefined)?.service;
  if (service === undefined) return undefined;
  if (found !== undefined && !isBlocked(service)) {
    try {
      return await sendToOwner(parts, { ...upload, found }, owners);
    } catch (error) {
      if (stopped.aborted) throw error;
      refused.noteRefusal(error, owners.cluster, { orgId, service });
    }
  }
  refused.add({ ...upload, service }, owners.cluster, { orgId, service });
  return undefined;
}

async function sendToOwner(
  parts: Work,
  { found, ...upload }: Upload & { readonly found: Repeatable },
  owners: OwnedUploads,
): Promise<BatchItem | undefined> {
  const { orgId, postponed } = upload;
  const again = { orgId, read: async () => (await upload.read()) ?? found };
  const recorded = found.repeat as RecordedUpload;
  // Another member may have removed the service meanwhile, and has not seen this upload.
  if (await parts.isRemoved({ orgId, recorded })) throw serviceWasRemoved(recorded.service);
  const sent = { orgId, recorded, bytes: async () => (await again.read()).bytes };
  const item = await owners.repeat(
    sent,
    async () => repeatHere(parts, await encodeAgain(parts, again), postponed),
    parts.stopped,
  );
  if (item === undefined) postponed?.pending?.resolveAs("stored");
  return item;
}

/** The limits of an upload that was accepted before. */
export function repeatScopeOf({ config }: Context, orgId: string, recorded: RecordedUpload) {
  const { ingest, retentionDays } = config;
  const { maxMetricsBytes, maxMetrics } = ingest;
  const limits =
    recorded.kind === "metrics"
      ? { inflatedBytesMax: maxMetricsBytes, samplesMax: maxMetrics }
      : profileLimits(ingest);
  return {
    orgId,
    keyId: recorded.keyId,
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
  return error instanceof Failure && !isPassing(error);
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
