/**
 * Cumulative counters as one profile shows them: per distinct stack, ids ascending, one value per counter.
 *
 * ```
 * values[c][i] = counter c of stack ids[i] since the process began
 * ```
 */
export interface Counters {
  readonly ids: BigUint64Array;
  readonly values: readonly BigInt64Array[];
}

/** Same order and shape as the later profile. */
export interface Delta {
  readonly values: readonly BigInt64Array[];
  /** The process began again in between: its counters count from zero, so all of them are new. */
  readonly isReset: boolean;
}

/**
 * What `later` adds to `earlier`. A Go process never forgets a stack and never counts down, so a stack that
 * vanished or fell means that it is another process, of which everything happened in between.
 */
export function deltaOf(earlier: Counters, later: Counters): Delta {
  const values = later.values.map((column) => column.slice());
  let at = 0;
  for (let i = 0; i < later.ids.length && at < earlier.ids.length; i++) {
    if (later.ids[i] !== earlier.ids[at]) continue;
    for (let c = 0; c < values.length; c++) {
      const column = values[c]!;
      const grown = column[i]! - (earlier.values[c]?.[at] ?? 0n);
      if (grown < 0n) return { values: later.values, isReset: true };
      column[i] = grown;
    }
    at++;
  }
  if (at < earlier.ids.length) return { values: later.values, isReset: true };
  return { values, isReset: false };
}
