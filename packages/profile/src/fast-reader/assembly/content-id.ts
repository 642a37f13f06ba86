// The same ids as src/content-id.ts, which says what they are made of.

export const seedLow: i32 = 0x9e3779b9;
export const seedHigh: i32 = 0x7f4a7c15;

export function mixLow(lane: i32, word: i32): i32 {
  const mixed = (lane ^ word) * 0x85ebca6b;
  return mixed ^ (mixed >>> 15);
}

export function mixHigh(lane: i32, word: i32): i32 {
  return addHigh(lane, premixHigh(word));
}

/** The part of `mixHigh` that needs no lane. */
export function premixHigh(word: i32): i32 {
  const mixed = word * 0xcc9e2d51;
  return mixed ^ (mixed >>> 17);
}

export function addHigh(lane: i32, premixed: i32): i32 {
  return (rotl(lane, 13) + premixed) * 0x1b873593;
}

/** Both halves, the low one below. */
export function finishId(low: i32, high: i32, length: i32): u64 {
  const a = avalanche(low ^ length);
  const b = avalanche(high + a);
  return ((<u64>(<u32>b)) << 32) | <u64>(<u32>avalanche(a ^ (b * 0x9e3779b1)));
}

function avalanche(word: i32): i32 {
  let mixed = (word ^ (word >>> 16)) * 0x85ebca6b;
  mixed = (mixed ^ (mixed >>> 13)) * 0xc2b2ae35;
  return mixed ^ (mixed >>> 16);
}

/** The id of an ASCII text; 0 for any other text, because decoding may change its bytes. */
export function idOfAscii(from: usize, to: usize): u64 {
  let low = seedLow;
  let high = seedHigh;
  let seen: i32 = 0;
  let at = from;
  for (; at + 4 <= to; at += 4) {
    const word = load<i32>(at);
    seen |= word;
    low = mixLow(low, word);
    high = mixHigh(high, word);
  }
  // There is always memory behind a text.
  const rest = load<i32>(at) & ((1 << ((<i32>(to - at)) << 3)) - 1);
  if (((seen | rest) & 0x80808080) !== 0) return 0;
  return finishId(mixLow(low, rest), mixHigh(high, rest), <i32>(to - from));
}
