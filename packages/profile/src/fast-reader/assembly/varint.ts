/**
 * A number of up to eight bytes at `pos`, as value * 256 + length; 0 where it is longer. It may read behind the message it is
 * in, where there is always memory: callers compare where it ends.
 */
export function varint(pos: usize): u64 {
  const first = <u64>load<u8>(pos);
  if (first < 0x80) return (first << 8) | 1;
  const second = <u64>load<u8>(pos + 1);
  const low = (first & 0x7f) | ((second & 0x7f) << 7);
  if (second < 0x80) return (low << 8) | 2;
  let value = low;
  for (let length: u64 = 2; length < 8; length++) {
    const byte = <u64>load<u8>(pos + <usize>length);
    value |= (byte & 0x7f) << (7 * length);
    if (byte < 0x80) return (value << 8) | (length + 1);
  }
  return 0;
}

/** The end of a number that is skipped; 0 if it is longer than any number may be. */
export function skipVarint(pos: usize): usize {
  for (let at = pos; at < pos + 10; at++) if (load<u8>(at) < 0x80) return at + 1;
  return 0;
}
