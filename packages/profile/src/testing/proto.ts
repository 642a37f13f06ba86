/** Protobuf by hand, for tests of what no writer of ours would write. */

/** A varint field. */
export function number(field: number, value: number | bigint): number[] {
  return [...varint(field * 8), ...varint(value)];
}

/** A length-delimited field: bytes, text or a message made of other fields. */
export function block(field: number, ...parts: (number[] | string)[]): number[] {
  const bytes = parts.flatMap((part) => (typeof part === "string" ? utf8(part) : part));
  return [...varint(field * 8 + 2), ...varint(bytes.length), ...bytes];
}

/** A packed list. */
export function packed(field: number, ...values: (number | bigint)[]): number[] {
  return block(field, values.flatMap(varint));
}

function varint(value: number | bigint): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return bytes;
}

export function utf8(text: string): number[] {
  return Array.from(unescape(encodeURIComponent(text)), (char) => char.charCodeAt(0));
}

export function bytesOf(...parts: number[][]): Uint8Array {
  return Uint8Array.from(parts.flat());
}
