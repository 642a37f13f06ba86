import { setTimeout as sleep } from "node:timers/promises";
import { Failure, unavailable } from "#failure";
import type { Payload } from "#store/payloads/payload-store.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import { freeContent } from "./batch.ts";
import type { PendingItem } from "./pending-item.ts";
import { type DefinitionLosses, stopping } from "./rejections.ts";
import type { StoreRetry } from "./store-retry.ts";

const pollMs = 250;
/** How long a read waits for an owner that refuses uploads. */
const refusedMsMax = 5_000;

/** An upload in the log that has no rows: they are made from the log once the store can take them. */
export interface PostponedUpload extends Pick<Payload, "orgId" | "profileId" | "type"> {
  readonly definitionsGeneration: number;
  readonly put: number;
  /** Set if its sender waits for the rows. */
  readonly pending: PendingItem | undefined;
}

/** Uploads whose rows come later: those that an earlier process left, and those that came while the store was away. */
export class PostponedUploads {
  readonly #retry: StoreRetry;
  readonly #losses: DefinitionLosses;
  readonly #isStoreReady: () => Promise<boolean>;
  #waiting: PostponedUpload[] = [];
  /** Those that were taken and are not handed over yet. */
  #taken: readonly PostponedUpload[] = [];
  #firstLeftPut = Number.POSITIVE_INFINITY;
  #hasEnded = false;
  #wake: () => void = () => undefined;
  /** Whether nothing that an earlier process left is without rows. */
  isRecovered = true;
  /** Set while nothing waits but uploads that their owners refuse. */
  refusal: Failure | StoreUnavailable | undefined;

  constructor(retry: StoreRetry, losses: DefinitionLosses, isStoreReady: () => Promise<boolean>) {
    this.#retry = retry;
    this.#isStoreReady = isStoreReady;
    this.#losses = losses;
  }

  get size(): number {
    return this.#waiting.length + this.#taken.length;
  }

  get isEmpty(): boolean {
    return this.isRecovered && this.size === 0;
  }

  /** A full disk, here or at the owner of an upload, is not waited for. */
  get areAwaited(): boolean {
    return !this.isEmpty && this.#retry.outage !== "full" && !this.#isOwnerFull;
  }

  get #isOwnerFull(): boolean {
    return this.refusal instanceof Failure && this.refusal.code === "disk_full";
  }

  /** For what needs all rows: reads go on without those of a full disk. */
  refuseIfOwnerFull(): void {
    if (!this.#isOwnerFull) return;
    const advice =
      "Nothing can be deleted before they are stored: free space at that server, then try again.";
    throw unavailable(`${this.refusal!.message} ${advice}`, this.refusal, 60);
  }

  /** The first put whose rows are not made. */
  get firstPut(): number {
    const all = [...this.#taken, ...this.#waiting];
    return all.reduce((first, { put }) => Math.min(first, put), this.#firstLeftPut);
  }

  /** Their payloads are in the log. */
  add(batch: readonly PendingItem[]): void {
    for (const pending of batch) {
      const { item, put, isDecided } = pending;
      item.snapshot?.markRejected();
      const { orgId, profileId, type, definitionsGeneration } = item;
      const waiting = isDecided ? undefined : pending;
      if (this.#hasEnded) waiting?.reject(stopping());
      this.#waiting.push({ orgId, profileId, type, definitionsGeneration, put, pending: waiting });
      freeContent(item);
    }
    if (batch.length > 0) this.#wake();
  }

  /** Uploads as they come, at most `countMax` at a time, until the signal aborts. Their definitions are then made once more. */
  async *take(countMax: number, stopped: AbortSignal): AsyncGenerator<readonly PostponedUpload[]> {
    stopped.addEventListener("abort", () => this.#wake());
    while (!stopped.aborted) {
      this.#taken = this.#waiting.splice(0, countMax);
      for (const upload of this.#taken) this.#losses.renew(upload.orgId, upload.definitionsGeneration);
      if (this.#taken.length > 0) yield this.#taken;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  /** Its rows could not be made. Later puts are not confirmed, so that the next start finds it. */
  leaveToNextStart({ put }: PostponedUpload): void {
    this.#firstLeftPut = Math.min(this.#firstLeftPut, put);
  }

  /** Resolves when none is awaited. Throws StoreUnavailable if the store cannot take their rows now, and why an owner refuses them. */
  async emptied(): Promise<void> {
    const startMs = performance.now();
    for (; this.areAwaited; await sleep(pollMs)) {
      if (this.refusal !== undefined && performance.now() - startMs > refusedMsMax) throw this.refusal;
      if (this.#hasEnded) throw stopping();
      const isAway = this.#retry.outage === "away" && !(await this.#isStoreReady());
      if (isAway || this.#retry.isStopped) {
        throw new StoreUnavailable("The column store cannot take the rows of earlier uploads now.");
      }
    }
  }

  /** To be called when nothing makes rows any more, because the server stops: senders and reads that wait for them get an answer. */
  end(): void {
    this.#hasEnded = true;
    for (const { pending } of [...this.#taken, ...this.#waiting]) pending?.reject(stopping());
  }
}
