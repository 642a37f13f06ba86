// Packed lists of ids, eight bytes at a time: which of them begin an id is looked up, so that none waits for the length of
// the one before. For ids under 2^14, of one byte or two, as nearly all are.

/** By which of eight bytes have their top bit set: from where the two bytes of each id come. */
const shuffles: usize = memory.data(256 << 4, 16);
/** And how many ids and bytes these are, as ids * 16 + bytes. One that is cut off or longer than two bytes ends them. */
const steps: usize = memory.data(256);

const NOWHERE: u8 = 0x80;

function makeTables(): void {
  memory.fill(shuffles, NOWHERE, 256 << 4);
  for (let tops = 0; tops < 256; tops++) {
    let bytes = 0;
    let ids = 0;
    while (bytes < 8) {
      const isLonger = (tops >> bytes) & 1;
      if (bytes + isLonger > 7 || (isLonger !== 0 && ((tops >> (bytes + 1)) & 1) !== 0)) break;
      const at = shuffles + (((<usize>tops) << 4) | ((<usize>ids) << 1));
      store<u8>(at, <u8>bytes);
      if (isLonger !== 0) store<u8>(at, <u8>(bytes + 1), 1);
      bytes += 1 + isLonger;
      ids++;
    }
    store<u8>(steps + <usize>tops, <u8>((ids << 4) | bytes));
  }
}

makeTables();

/** Most bytes that are taken at once. */
const BYTES_MAX: usize = 256;
/** The ids that were read, 16 bits each; up to seven more are written behind them. */
export const ids: usize = memory.data(2 * 256 + 14, 16);
export let idsEnd: usize = 0;

/** Reads from `from` on; returns where it stopped: at `to`, at an id that is longer, or after enough. */
export function readPacked(from: usize, to: usize): usize {
  const last = min(to, from + BYTES_MAX);
  let out = ids;
  let pos = from;
  while (pos < last) {
    const bytes = v128.load64_zero(pos);
    // Behind the last byte every top bit is set, which ends the ids.
    const rest = <i32>min<usize>(last - pos, 8);
    const tops = (i8x16.bitmask(bytes) & 0xff) | ((0xff << rest) & 0xff);
    const spread = i8x16.swizzle(bytes, v128.load(shuffles + ((<usize>tops) << 4)));
    const low = v128.and(spread, i16x8.splat(0x7f));
    const high = i16x8.shr_u(v128.and(spread, i16x8.splat(0x7f00)), 1);
    v128.store(out, v128.or(low, high));
    const step = <usize>load<u8>(steps + <usize>tops);
    if (step === 0) break;
    out += (step >>> 4) << 1;
    pos += step & 15;
  }
  idsEnd = out;
  return pos;
}
