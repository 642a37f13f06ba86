import { Ids, Tuples } from "#memory/tuples.ts";
import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";

/** Where an event happened; ids are 0 where there is none. */
export interface EventContext {
  readonly contextId: number;
  readonly spanId: number;
  readonly spanName: number;
}

/** Sums by stack trace, which is the number of its list of frames, and context as columns, which exist once they have a value. */
export class Rows {
  /** By column, then by row. */
  readonly values: (Float64Array<ArrayBuffer> | undefined)[];
  readonly #left: { rows: number };
  readonly #limits: ReadLimits;
  /** By row. */
  readonly #stackTraces: number[] = [];
  readonly #contextOf: number[] = [];
  /** Stack traces whose events are nowhere, as most are, and their rows. */
  readonly #nowhere = new Ids();
  readonly #nowhereRows: number[] = [];
  /** Stack traces with a context, and their rows. */
  readonly #pairs = new Tuples(2);
  readonly #pairRows: number[] = [];
  readonly #contexts = new Tuples(3);

  constructor(columns: number, { left, limits }: { left: { rows: number }; limits: ReadLimits }) {
    this.values = new Array(columns).fill(undefined);
    this.#left = left;
    this.#limits = limits;
    this.#contexts.intern(0, 0, 0);
  }

  get length(): number {
    return this.#stackTraces.length;
  }

  stackTraceOf(row: number): number {
    return this.#stackTraces[row];
  }

  contextOf(row: number): number {
    return this.#contextOf[row];
  }

  eventContext(context: number): EventContext {
    const [contextId, spanId, spanName] = [0, 1, 2].map((place) => this.#contexts.at(context, place));
    return { contextId: contextId!, spanId: spanId!, spanName: spanName! };
  }

  /** Values of a row that has none in the column are 0. */
  valueOf(row: number, column: number): number {
    return this.values[column]?.[row] ?? 0;
  }

  rowOf(stackTrace: number, contextId: number, spanId: number, spanName: number): number {
    if (contextId === 0 && spanId === 0 && spanName === 0) {
      const place = this.#nowhere.intern(stackTrace);
      if (place === this.#nowhereRows.length) this.#nowhereRows.push(this.#addRow(stackTrace, 0));
      return this.#nowhereRows[place];
    }
    const context = this.#contexts.intern(contextId, spanId, spanName);
    const place = this.#pairs.intern(stackTrace, context);
    if (place === this.#pairRows.length) this.#pairRows.push(this.#addRow(stackTrace, context));
    return this.#pairRows[place];
  }

  #addRow(stackTrace: number, context: number): number {
    if (this.#left.rows-- === 0) {
      const { samples } = this.#limits;
      const message = `The recording has more than ${samples} different stacks.`;
      throw new Refusal("too_large", message, "samples", samples);
    }
    this.#contextOf.push(context);
    return this.#stackTraces.push(stackTrace) - 1;
  }

  add(row: number, column: number, amount: number): void {
    let values = this.values[column];
    if (values === undefined || row >= values.length) {
      const wider = new Float64Array(Math.max(64, 2 * row));
      if (values !== undefined) wider.set(values);
      this.values[column] = wider;
      values = wider;
    }
    values[row] += amount;
  }

  /** Sums of weights may have fractions. */
  round(): void {
    for (const values of this.values) values?.set(values.map(Math.round));
  }
}
