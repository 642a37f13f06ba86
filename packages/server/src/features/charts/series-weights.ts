/**
 * Weights with which a sum over profiles is the growth of each series since its previous profile: 1 for the newest profile
 * of a series (one service's profiles with the same tags), -1 for the one before it, 0 for the rest.
 *
 * ```
 * newest first   a3  b2  a2  b1  a1  c1
 * weight          1   1  -1  -1   0   0
 * ```
 *
 * @param profiles newest first
 * @returns undefined if no series has two profiles
 */
export function seriesWeights(
  profiles: readonly { readonly tags: Readonly<Record<string, string>> }[],
): number[] | undefined {
  const weights = profiles.map(() => 0);
  const seen = new Map<string, { newest: number; count: number }>();
  profiles.forEach(({ tags }, index) => {
    const key = JSON.stringify(Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1)));
    const series = seen.get(key);
    if (series === undefined) seen.set(key, { newest: index, count: 1 });
    else if (series.count++ === 1) {
      weights[series.newest] = 1;
      weights[index] = -1;
    }
  });
  return weights.some((weight) => weight !== 0) ? weights : undefined;
}
