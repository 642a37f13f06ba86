import { quantile } from "#result";

interface Timed {
  readonly call: (email: string) => Promise<{ readonly ms: number }>;
  /** Calls at the beginning that do not count. */
  readonly warmUp: number;
}

/** Times of a call for two lists of addresses. They take turns, so that other work on the machine meets both. */
export async function interleaved(
  first: readonly string[],
  second: readonly string[],
  { call, warmUp }: Timed,
): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  for (const [i, email] of first.entries()) {
    const pair = [email, second[i] ?? email] as const;
    for (const at of i % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const { ms } = await call(pair[at]);
      if (i >= warmUp) times[at].push(ms);
    }
  }
  return times;
}

/** How far two medians are apart, and for comparison those of the even and odd tries of the first list. */
export function differenceOf(first: readonly number[], second: readonly number[]) {
  const medians = [quantile(first, 0.5), quantile(second, 0.5)] as const;
  const [even, odd] = [0, 1].map((rest) =>
    quantile(
      first.filter((_, i) => i % 2 === rest),
      0.5,
    ),
  ) as [number, number];
  return { medians, percent: apart(...medians), noisePercent: apart(even, odd) };
}

function apart(a: number, b: number): number {
  return (100 * Math.abs(a - b)) / Math.max(a, b);
}
