import type { PendingItem } from "./pending-item.ts";
import type { RowWriter } from "./row-writer.ts";

/** Below the ten seconds after which Alloy gives up. */
const heldMsMax = 5_000;

/** Uploads that the log has, whose senders wait for the rows: see `BatchItem.isHeld`. */
export class HeldAnswers {
  readonly #writer: Pick<RowWriter, "isDependent">;
  readonly #answer: (batch: readonly PendingItem[]) => void;
  /** When each is answered at the latest, the earliest one first. */
  readonly #untilMs = new Map<PendingItem, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(writer: Pick<RowWriter, "isDependent">, answer: (batch: readonly PendingItem[]) => void) {
    this.#writer = writer;
    this.#answer = answer;
  }

  add(batch: readonly PendingItem[]): void {
    const untilMs = performance.now() + heldMsMax;
    for (const pending of batch) this.#untilMs.set(pending, untilMs);
    this.#await();
  }

  /** To be called when its rows are stored, or are made again. */
  forget(pending: PendingItem): void {
    this.#untilMs.delete(pending);
  }

  /** To be called when the store takes no rows: nobody waits for it. */
  answerAll(): void {
    this.#answerAt(Number.POSITIVE_INFINITY);
  }

  /** Another server stores those whose rows are not to be stored here before it answers them. */
  #answerAt(nowMs: number): void {
    const due = [...this.#untilMs].flatMap(([pending, untilMs]) => (untilMs <= nowMs ? [pending] : []));
    for (const pending of due) this.#untilMs.delete(pending);
    this.#answer(due.filter(({ item }) => !this.#writer.isDependent(item)));
  }

  #await(): void {
    const [next] = this.#untilMs.values();
    if (next === undefined) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#answerAt(performance.now());
      this.#await();
    }, next - performance.now()).unref();
  }
}
