// Reads packed lists of ids eight bytes at a time. A table gives where the ids begin, so that no id has to wait for the
// length of the one before. Only for ids below 2^14, which take one or two bytes, as nearly all do.

/** Indexed by the top bits of eight bytes: which bytes make up each id. */
const shuffles: usize = memory.data(256 << 4, 16);
/** Indexed in the same way: ids * 16 + bytes, up to an id that is cut off or longer than two bytes. */
const steps: usize = memory.data(256);

const nowhere: u8 = 0x80;

function makeTables(): void {
  memory.fill(shuffles, nowhere, 256 << 4);
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

/** Bytes read by one call at most. */
const bytesMax: usize = 256;
/** The ids that were read, 16 bits each; up to seven more are written behind them. */
export const ids: usize = memory.data(2 * 256 + 14, 16);
export let idsEnd: usize = 0;

/** Reads from `from` on; returns where it stopped: at `to`, at a longer id, or after `bytesMax`. */
export function readPacked(from: usize, to: usize): usize {
  const last = min(to, from + bytesMax);
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
