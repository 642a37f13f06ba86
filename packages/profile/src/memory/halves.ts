/** 64-bit numbers are stored through the halves of the column, without making a BigInt. Little-endian hosts. */
export function halvesOf(column: BigUint64Array | BigInt64Array): Uint32Array {
  return new Uint32Array(column.buffer, column.byteOffset, column.length * 2);
}
