export interface CpuWords {
  readonly size: 4 | 8;
  readonly isLittle: boolean;
  readonly isJava?: boolean;
  /** Each with its count and its addresses, leaf first. */
  readonly samples: readonly (readonly number[])[];
}

/** A CPU profile in the binary form of gperftools, with 10 ms between samples, without mappings. */
export function cpuWords({ size, isLittle, isJava = false, samples }: CpuWords): Uint8Array {
  const stacks = samples.flatMap(([count = 0, ...addresses]) => [count, addresses.length, ...addresses]);
  const words = [0, 3, isJava ? 1 : 0, 10_000, 0, ...stacks, 0, 1, 0];
  const view = new DataView(new ArrayBuffer(words.length * size));
  for (const [at, word] of words.entries()) {
    if (size === 8) view.setBigUint64(8 * at, BigInt(word), isLittle);
    else view.setUint32(4 * at, word, isLittle);
  }
  return new Uint8Array(view.buffer);
}
