/**
 * Cumulative counters as one profile shows them: per distinct stack, ids ascending, one value per counter.
 *
 * ```
 * values[c][i] = counter c of stack ids[i] since the process started
 * ```
 */
export interface Counters {
  readonly ids: BigUint64Array;
  readonly values: readonly BigInt64Array[];
}

/**
 * How much every counter of `later` grew since `earlier`, in the shape of `later`. A Go process never forgets a stack and never
 * counts down: undefined where a stack vanished or a counter fell, because then the two come from different processes.
 */
export function growthOf(earlier: Counters, later: Counters): readonly BigInt64Array[] | undefined {
  const values = later.values.map((column) => column.slice());
  let at = 0;
  for (let i = 0; i < later.ids.length && at < earlier.ids.length; i++) {
    if (later.ids[i] !== earlier.ids[at]) continue;
    for (let c = 0; c < values.length; c++) {
      const column = values[c]!;
      const grown = column[i]! - (earlier.values[c]?.[at] ?? 0n);
      if (grown < 0n) return undefined;
      column[i] = grown;
    }
    at++;
  }
  return at < earlier.ids.length ? undefined : values;
}

/** The sum of each column. */
export function totalsOf(values: readonly BigInt64Array[]): readonly bigint[] {
  return values.map((column) => column.reduce((sum, value) => sum + value, 0n));
}

/** Of all sample types those that count. */
export function countersOnly({ ids, values }: Counters, isCounter: readonly boolean[]): Counters {
  return { ids, values: values.filter((_, type) => isCounter[type]) };
}
