import { setImmediate as nextTurn } from "node:timers/promises";
import { free } from "#memory/free.ts";
import type { BatchItem } from "./batch.ts";

export type Committed = "stored" | "duplicate";

/** An item between its commit and the answer. Its first outcome is final. */
export class PendingItem {
  #item: BatchItem;
  readonly committed: Promise<Committed>;
  /** The put that made it safe; 0 for one of an earlier process. */
  put = 0;
  readonly #resolvers = Promise.withResolvers<Committed>();
  #isDecided = false;

  constructor(item: BatchItem) {
    this.#item = item;
    this.committed = this.#resolvers.promise;
  }

  get item(): BatchItem {
    return this.#item;
  }

  /** To be called when the payload is on disk. */
  freePayload(): void {
    const { payload, ...rest } = this.#item;
    if (payload !== undefined) free(payload);
    this.#item = { ...rest, payload: undefined };
  }

  /** Whether its outcome is decided, even if the sender does not have it yet. */
  get isDecided(): boolean {
    return this.#isDecided;
  }

  /** Returns false if the outcome was decided before. */
  decideStored(): boolean {
    if (this.#isDecided) return false;
    this.#isDecided = true;
    this.item.snapshot?.markStored();
    return true;
  }

  resolve(outcome: Committed): void {
    this.#resolvers.resolve(outcome);
  }

  /** Decides the outcome and answers. */
  resolveAs(outcome: Committed): void {
    if (this.decideStored()) this.resolve(outcome);
  }

  reject(error: Error): void {
    if (this.#isDecided) return;
    this.#isDecided = true;
    this.item.snapshot?.markRejected();
    this.#resolvers.reject(error);
  }
}

/** The stacks and frames of an item that is not stored, because other items may refer to them. Nobody waits for it. */
export function definitionsOf({ snapshot: _, rows, ...item }: BatchItem): PendingItem | undefined {
  const { frames, stacks } = rows;
  if (frames === undefined && stacks === undefined) return undefined;
  const pending = new PendingItem({
    ...item,
    rows: { ...(frames && { frames }), ...(stacks && { stacks }) },
    payload: undefined,
    hours: [],
    definitionsGeneration: Number.POSITIVE_INFINITY,
  });
  // The log does not have them.
  pending.put = Number.POSITIVE_INFINITY;
  pending.decideStored();
  return pending;
}

/** Each answer takes time of the main thread: all answers of a batch would block it for tens of milliseconds. */
const answersPerTurn = 4;

/** Decides all outcomes at once; the answers follow over several turns of the event loop. */
export async function resolveInTurns(batch: readonly PendingItem[], outcome: Committed): Promise<void> {
  const open = batch.filter((pending) => pending.decideStored());
  for (const [place, pending] of open.entries()) {
    if (place > 0 && place % answersPerTurn === 0) await nextTurn();
    pending.resolve(outcome);
  }
}

/** Gives an item the outcome of the same profile that is pending already. */
export function settleLike(pending: PendingItem, twin: PendingItem, outcome: Committed = "duplicate"): void {
  twin.committed.then(
    () => {
      pending.resolveAs(outcome);
    },
    (error: Error) => pending.reject(error),
  );
}
