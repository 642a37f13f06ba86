export interface PatternBar {
  readonly x: number;
  readonly width: number;
  readonly depth: number;
  /** Index of its colour, from 0. */
  readonly step: number;
}

// A fixed pseudo-random sequence, so that the picture is the same on every visit.
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const narrowest = 0.006;
const stepCount = 5;

/** Bars in rows, each within the width of its parent. Widths are fractions of the picture's width. */
export function flamePattern(rows: number, seed: number): PatternBar[] {
  const next = sequence(seed);
  const bars: PatternBar[] = [];
  function grow(x: number, width: number, depth: number) {
    bars.push({ x, width, depth, step: Math.floor(next() * stepCount) });
    if (depth + 1 >= rows) return;
    let left = x;
    const end = x + width * (0.82 + next() * 0.18);
    while (end - left > narrowest) {
      const child = Math.min(end - left, Math.max(narrowest, width * (0.12 + next() ** 0.7 * 0.86)));
      if (next() > 0.03 + depth * 0.012) grow(left, child, depth + 1);
      left += child;
    }
  }
  grow(0, 1, 0);
  return bars;
}
