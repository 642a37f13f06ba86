export interface PasswordCost {
  /** KiB. */
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/**
 * argon2id, the library's default. About 60 ms and 64 MiB each; above the minimum of OWASP's Password Storage Cheat Sheet
 * (19 MiB, 2 passes). `crypto.argon2` of Node 26.10 computes the same hashes but takes three times the CPU (measured:
 * 260 ms against 90 ms), and Node 24 has it only since 24.7.
 */
export const passwordCostDefault: PasswordCost = { memoryCost: 65_536, timeCost: 3, parallelism: 1 };
