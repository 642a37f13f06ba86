import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";

/** Where an event happened; ids are 0 where there is none. */
export interface EventContext {
  readonly contextId: number;
  readonly spanId: number;
  readonly spanName: number;
}

/** Smaller ids of stack traces and contexts are one number together. */
const idsMax = 2 ** 26;
const noContext: EventContext = { contextId: 0, spanId: 0, spanName: 0 };

/** Sums by stack trace and context as columns, which exist once they have a value. */
export class Rows {
  readonly stackTraces: number[] = [];
  /** By column, then by row. */
  readonly values: (Float64Array<ArrayBuffer> | undefined)[];
  readonly #left: { rows: number };
  readonly #limits: ReadLimits;
  readonly #contexts: EventContext[] = [noContext];
  readonly #contextOf: number[] = [];
  readonly #places = new Map<number | string, number>();
  readonly #contextPlaces = new Map<string, number>();

  constructor(columns: number, { left, limits }: { left: { rows: number }; limits: ReadLimits }) {
    this.values = new Array(columns).fill(undefined);
    this.#left = left;
    this.#limits = limits;
  }

  get length(): number {
    return this.stackTraces.length;
  }

  contextOf(row: number): EventContext {
    return this.#contexts[this.#contextOf[row]];
  }

  /** Values of a row that has none in the column are 0. */
  valueOf(row: number, column: number): number {
    return this.values[column]?.[row] ?? 0;
  }

  rowOf(stackTrace: number, contextId: number, spanId: number, spanName: number): number {
    const context = this.#placeOf(contextId, spanId, spanName);
    const isSmall = stackTrace >= 0 && stackTrace < idsMax && context < idsMax;
    const key = isSmall ? context * idsMax + stackTrace : `${context} ${stackTrace}`;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    if (this.#left.rows-- === 0) {
      const { samples } = this.#limits;
      const message = `The recording has more than ${samples} different stacks.`;
      throw new Refusal("too_large", message, "samples", samples);
    }
    const row = this.stackTraces.push(stackTrace) - 1;
    this.#contextOf.push(context);
    this.#places.set(key, row);
    return row;
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

  #placeOf(contextId: number, spanId: number, spanName: number): number {
    if (contextId === 0 && spanId === 0 && spanName === 0) return 0;
    const key = `${contextId} ${spanId} ${spanName}`;
    const known = this.#contextPlaces.get(key);
    if (known !== undefined) return known;
    const place = this.#contexts.push({ contextId, spanId, spanName }) - 1;
    this.#contextPlaces.set(key, place);
    return place;
  }
}
