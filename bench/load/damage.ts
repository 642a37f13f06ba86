import type { Random } from "#random";

const flipsMax = 8;

/**
 * A copy of `bytes` as a broken sender or network leaves it: bytes changed, the end cut off, a range missing, or a range
 * sent twice.
 */
export function damagedCopy(bytes: Uint8Array, random: Random): Buffer {
  const whole = (from: number, to: number) => Math.floor(random.between(from, to));
  const kind = whole(0, 5);
  if (kind === 0) return Buffer.from(bytes.subarray(0, whole(0, bytes.length)));
  if (kind < 3) {
    const copy = Buffer.from(bytes);
    for (let flips = whole(1, flipsMax + 1); flips > 0; flips--) copy[whole(0, copy.length)] = whole(0, 256);
    return copy;
  }
  const from = whole(0, bytes.length);
  const to = Math.min(bytes.length, from + whole(1, 64));
  const range = bytes.subarray(from, to);
  return Buffer.concat([bytes.subarray(0, from), ...(kind === 3 ? [] : [range, range]), bytes.subarray(to)]);
}
