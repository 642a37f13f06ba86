import type { Cluster } from "#cluster/cluster.ts";
import type { Context } from "#context";
import { diskFull, Failure } from "#failure";
import { isFull } from "#store/disk-space.ts";
import { ByteBudget, logFull, overheadBytes, queueFull } from "./admission/budget.ts";
import { callAfterRunning } from "./admission/deadline.ts";
import { IngestCounters } from "./admission/ingest-counters.ts";
import { type Sender, senderIn } from "./admission/sender.ts";
import { UploadLimits } from "./admission/upload-limits.ts";
import { batchItemOf, bytesOf, freeContent } from "./commit/batch.ts";
import { Committer } from "./commit/committer.ts";
import { type ComparedUploads, comparedUploads } from "./commit/compared-uploads.ts";
import { duplicateNotice, KnownUploads } from "./commit/known-uploads.ts";
import { Recounts } from "./commit/recount-doubtful.ts";
import { requestFailure, tooLate } from "./commit/rejections.ts";
import { ServiceRemovalWatch } from "./commit/service-removal-watch.ts";
import type { EncodeScope } from "./encode/encode-profile.ts";
import { type StoredRequest, type StoredUpload, toStored } from "./endpoints/upload-endpoint.ts";
import { bytesOfPoints, HistogramMemory } from "./otlp/histogram-memory.ts";
import { AwaitedOthers } from "./owners/awaited-others.ts";
import type { UploadToTake } from "./owners/messages.ts";
import { OwnedUploads } from "./owners/owned-uploads.ts";
import { repeatScopeOf, repeatUploads } from "./repeat-uploads.ts";
import { bothRejected, type Encoded } from "./rows/encoded.ts";
import { type Arrival, encodeScopeOf, type ReadRequest } from "./threads/arrival.ts";
import { WorkerPool } from "./threads/worker-pool.ts";
import type { HistogramPoint } from "./upload/histogram.ts";
import type { Refusal } from "./upload/refusal.ts";

/** Other servers that share a ClickHouse see rows once they are there. For this server's reads no row waits. */
const rowsWaitMs = { embedded: 60_000, url: 1_000 } as const;
/** Below the 30 s after which Pyroscope's SDK gives up. */
const answerMsMax = 25_000;
const stopMsMax = 15_000;

/** Brings the bytes of a request to the disk: encodes them on a worker and commits the rows. README.md draws the way. */
export class Intake {
  readonly budget: ByteBudget;
  readonly counters: IngestCounters;
  readonly limits: UploadLimits;
  readonly #ctx: Context;
  readonly #pool: WorkerPool;
  readonly #knownUploads = new KnownUploads();
  readonly #committer: Committer;
  readonly #compared: ComparedUploads;
  #histograms: HistogramMemory;
  readonly #removalWatch: ServiceRemovalWatch;
  readonly #recounts: Recounts;
  /** Set if other servers may share the stores. */
  readonly owners: OwnedUploads | undefined;
  #leaving: Promise<void> | undefined;
  readonly #stopping = new AbortController();
  /** Makes rows of uploads in the log; ends with the server. */
  readonly #repeating: Promise<void>;
  readonly #endAwaiting: () => void;

  constructor(ctx: Context, cluster?: Cluster) {
    this.#ctx = ctx;
    this.#pool = new WorkerPool(ctx.encodingThreads);
    // The overhead is added so that the largest request fits a queue of its size.
    this.budget = new ByteBudget(ctx.config.ingest.queueBytes + overheadBytes);
    this.counters = new IngestCounters(ctx.metrics, this.budget);
    this.limits = new UploadLimits(ctx);
    this.#removalWatch = new ServiceRemovalWatch(ctx, () => this.#forgetUploads());
    const { counters } = this;
    this.#committer = new Committer({
      store: ctx.columns,
      payloads: ctx.payloads,
      counters,
      log: ctx.log,
      disk: ctx.disk,
      acknowledge: ctx.config.ingest.acknowledge,
      rowsWaitMs: rowsWaitMs[ctx.config.columns.kind],
      ...(cluster && { isCurrent: (term) => cluster.isCurrent(term) }),
      removalWatch: this.#removalWatch,
    });
    this.#recounts = new Recounts({
      store: ctx.columns.maintenance,
      committer: this.#committer,
      health: ctx.columns.health,
      log: ctx.log,
      isDiskFull: () => this.isDiskFull(),
      stopped: this.#stopping.signal,
    });
    const refuse = (refusal: Refusal) => this.refuse(refusal);
    this.#compared = comparedUploads(ctx, { pool: this.#pool, committer: this.#committer, cluster, refuse });
    this.#histograms = new HistogramMemory(ctx.now().getTime());
    this.owners = cluster && this.#ownedUploads(cluster);
    this.#repeating = this.#repeatUploads();
    const { awaitedRows } = ctx.columns;
    const sources = [this.#recounts, ...(this.owners ? [new AwaitedOthers(this.owners)] : [])];
    const ends = sources.map((source) => awaitedRows.add(source));
    this.#endAwaiting = () => {
      for (const end of ends) end();
    };
  }

  /**
   * Resolves with the stored profiles when all are on disk; with none if the upload was empty. Throws a
   * Failure that says what the sender should change: then nothing was stored, unless the store failed or a snapshot was
   * found to come from a second process. Stored profiles are recognised if the request is sent again.
   */
  async take(arrival: Arrival): Promise<StoredRequest> {
    const taken = this.owners === undefined ? this.#work(arrival) : this.owners.take(arrival);
    const work = taken.finally(() => arrival.reservation.release());
    const late = Promise.withResolvers<never>();
    const cancelDeadline = callAfterRunning(answerMsMax, () => late.reject(tooLate()));
    try {
      return await Promise.race([work, late.promise]);
    } finally {
      cancelDeadline();
      work.catch(() => undefined);
    }
  }

  /**
   * Runs a removal of stored profiles while none is written, and forgets them afterwards. The signal aborts when the server stops,
   * because accepted uploads wait behind the removal.
   */
  async runBetweenBatches<T>(removal: (stopped: AbortSignal) => Promise<T>): Promise<T> {
    return this.#committer.runBetweenBatches(async () => {
      try {
        return await removal(this.#stopping.signal);
      } finally {
        this.#removalWatch.noteRemoval();
      }
    });
  }

  /** To be called when the server stops, so that every waiting sender gets an answer in time. */
  beginStop(): void {
    this.#stopping.abort();
    this.#leaving ??= this.owners?.cluster.leave();
    this.#committer.limitWaiting(stopMsMax);
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    this.#leaving ??= this.owners?.cluster.leave();
    await this.#leaving;
    this.#removalWatch.close();
    await this.#recounts.stop();
    await this.#repeating;
    await this.#committer.stop(stopMsMax);
    this.#endAwaiting();
    await this.owners?.cluster.close();
  }

  #ownedUploads(cluster: Cluster): OwnedUploads {
    return new OwnedUploads(cluster, {
      take: (arrival) => this.#work(arrival),
      takeUpload: (upload) => this.#takeUpload(upload),
      takePoints: (points, scope, sender) => this.#storePoints(points, scope, sender),
      admit: async (orgId, bytes) => {
        if (await this.isDiskFull()) throw this.refuseForDisk();
        if (this.isLogFull) throw this.refuse(logFull);
        const reservation = this.budget.reserve(orgId, overheadBytes + bytes);
        if (reservation === undefined) throw this.refuse(queueFull());
        return reservation;
      },
      forget: () => {
        this.#removalWatch.refresh();
        this.#histograms = new HistogramMemory(this.#ctx.now().getTime());
      },
      log: this.#ctx.log,
      committer: this.#committer,
    });
  }

  /** Stores an upload that another member has decoded. */
  async #takeUpload({ sender, recorded, body, reservation, ...said }: UploadToTake): Promise<StoredUpload> {
    const definitionsGeneration = this.#committer.generationOf(sender.orgId);
    const scope = repeatScopeOf(this.#ctx, sender.orgId, recorded);
    const outcome = await this.#pool.encodeAgain({ recorded, body, scope, definitionsGeneration });
    if (!outcome.ok) throw this.refuse(outcome.refusal);
    const encoded = { ...outcome.value[0]!, untimedKey: undefined, ...said };
    reservation.coverAtLeast(bytesOf(encoded));
    return this.#storeHere(sender, encoded, definitionsGeneration);
  }

  #repeatUploads(): Promise<void> {
    return repeatUploads({
      ctx: this.#ctx,
      pool: this.#pool,
      committer: this.#committer,
      owners: this.owners,
      toItem: (encoded, generation) => this.#compared.itemOf(encoded, generation),
      isRemoved: (upload) => this.#removalWatch.isRemovedSince(upload),
      isDiskFull: () => this.isDiskFull(),
      stopped: this.#stopping.signal,
    });
  }

  #forgetUploads(): void {
    this.#knownUploads.forget();
    this.#compared.forget();
    this.limits.noteRemoval();
  }

  async #work(arrival: Arrival): Promise<StoredRequest> {
    const { orgId } = arrival;
    const definitionsGeneration = this.#committer.generationOf(orgId);
    const bytes = arrival.body.length;
    const read = await this.#encode(arrival, definitionsGeneration);
    if (read.histograms !== undefined) return this.#storeReports(read, arrival);
    const { value: encoded, rejected } = read;
    const outcomes = await Promise.allSettled(
      encoded.map((each) => this.#storeWithin(arrival, each, definitionsGeneration)),
    );
    const isAnyNew = outcomes.some((outcome) => outcome.status === "fulfilled" && !outcome.value.isDuplicate);
    if (isAnyNew) {
      const startsMs = encoded.map(({ startedAtMs }) => startedAtMs);
      this.limits.noteAccepted(orgId, bytes, startsMs);
    }
    const stored = outcomes.map((outcome) => {
      if (outcome.status === "rejected") throw requestFailure(encoded, outcomes);
      return outcome.value;
    });
    return { stored, rejected };
  }

  /** The growth of histograms since the report before is an upload for each service. */
  async #storeReports({ histograms = [], scope, rejected }: ReadRequest, arrival: Arrival) {
    const here = (points: readonly HistogramPoint[]) => this.#storePoints(points, scope, arrival);
    const all =
      this.owners === undefined
        ? [await here(histograms)]
        : await this.owners.storePoints(histograms, { scope, sender: senderIn(arrival) }, here);
    return {
      stored: all.flatMap(({ stored }) => stored),
      rejected: all.reduce((sum, each) => bothRejected(sum, each.rejected), rejected),
    };
  }

  async #storePoints(
    points: readonly HistogramPoint[],
    scope: EncodeScope,
    { reservation, ...sender }: Sender & Pick<Arrival, "reservation">,
  ): Promise<StoredRequest> {
    const definitionsGeneration = this.#committer.generationOf(scope.orgId);
    const stored: StoredUpload[] = [];
    let bytes = bytesOfPoints(points);
    reservation.coverAtLeast(bytes);
    const taken = await this.#histograms.take(points, scope, async (report) => {
      const outcome = await this.#pool.encodeAgain({ ...report, scope, definitionsGeneration });
      if (!outcome.ok) throw this.refuse(outcome.refusal);
      const encoded = outcome.value[0]!;
      bytes += bytesOf(encoded);
      reservation.coverAtLeast(bytes);
      const upload = await this.#storeWithin(sender, encoded, definitionsGeneration);
      if (!upload.isDuplicate) this.limits.noteAccepted(scope.orgId, encoded.rawBytes, [encoded.startedAtMs]);
      stored.push(upload);
    });
    this.counters.dropped(taken.dropped);
    return { stored, rejected: taken.rejected };
  }

  #storeWithin(sender: Sender, encoded: Encoded, generation: number): Promise<StoredUpload> {
    const here = () => this.#storeHere(sender, encoded, generation);
    if (this.owners === undefined) return here();
    return this.owners.store(senderIn(sender), encoded, {
      here,
      abandon: () => this.#committer.abandon(batchItemOf(encoded, generation)),
    });
  }

  /** As `#store`, unless the organization has as many services as it may. */
  async #storeHere(sender: Sender, encoded: Encoded, generation: number): Promise<StoredUpload> {
    const refusal = await this.limits.refuseService(sender, encoded.service);
    if (refusal === undefined) return this.#store(encoded, generation);
    this.#committer.abandon(batchItemOf(encoded, generation));
    throw this.refuse(refusal);
  }

  async #store(encoded: Encoded, definitionsGeneration: number): Promise<StoredUpload> {
    const nowMs = this.#ctx.now().getTime();
    this.#histograms.noteUpload(encoded, nowMs);
    const { orgId, profileId, startedAtMs, untimedKey } = encoded;
    const sent = { orgId, profileId, startedAtMs };
    const profile =
      untimedKey === undefined ? sent : this.#knownUploads.earlierWithContent(untimedKey, sent, nowMs);
    const earlier = this.#knownUploads.find(profile);
    if (earlier !== undefined) {
      await earlier;
      // The earlier upload may have another day, and its stacks were stored for that day.
      if (profile.profileId !== profileId)
        this.#committer.abandon(batchItemOf(encoded, definitionsGeneration));
      else freeContent(encoded);
      this.counters.duplicate();
      const different = duplicateNotice(encoded.tagsKey, this.#knownUploads.tagsOf(profile));
      return toStored({ ...encoded, ...profile }, true, different);
    }
    let notice: string | undefined;
    const committed = this.#compared.commit(encoded, definitionsGeneration, (text) => {
      notice = text;
    });
    this.#knownUploads.add(profile, committed, encoded.tagsKey);
    const isDuplicate = (await committed) === "duplicate";
    this.#count(encoded, isDuplicate);
    const repeated = isDuplicate ? duplicateNotice(encoded.tagsKey, undefined) : undefined;
    return toStored(encoded, isDuplicate, notice ?? encoded.notice ?? repeated);
  }

  async #encode(arrival: Arrival, definitionsGeneration: number) {
    const { format, query, contentType, body, reservation } = arrival;
    this.counters.received(body.length);
    const scope = encodeScopeOf(arrival, this.#ctx.config, this.#ctx.now());
    const task = { format, query, contentType, body, definitionsGeneration, scope };
    const outcome = await this.#pool.encode(task);
    if (!outcome.ok) throw this.refuse(outcome.refusal);
    if (outcome.dropped !== undefined) this.counters.dropped(outcome.dropped);
    else if (outcome.value.length === 0) this.counters.empty();
    reservation.coverAtLeast(outcome.value.reduce((sum, encoded) => sum + bytesOf(encoded), 0));
    return { ...outcome, scope };
  }

  #count({ type, trimmed }: Encoded, isDuplicate: boolean): void {
    if (isDuplicate) {
      this.counters.duplicate();
      return;
    }
    this.counters.stored(type);
    for (const [limit, amount] of trimmed) this.counters.trimmed(limit, amount);
  }

  /** Checked before a body is read: an upload that cannot be stored must not cost anything. */
  async isDiskFull(): Promise<boolean> {
    return isFull(this.#ctx.disk);
  }

  /** Also checked before a body is read. */
  get isLogFull(): boolean {
    return this.#committer.postponed.size >= this.#ctx.config.ingest.waitingUploads;
  }

  /** Counts the refusal; the failure is to be thrown. */
  refuseForDisk(): Failure {
    this.counters.refused("disk_full");
    return diskFull();
  }

  /** Counts the refusal; the failure is to be thrown. */
  refuse({ code, reason, message, retryAfterSeconds = 1 }: Refusal): Failure {
    this.counters.refused(reason);
    return new Failure(code, message, code === "rate_limited" ? { retryAfterSeconds } : {});
  }
}
