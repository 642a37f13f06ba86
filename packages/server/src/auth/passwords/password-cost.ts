export interface PasswordCost {
  /** KiB. */
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/**
 * argon2id as OWASP's Password Storage Cheat Sheet recommends it: 19 MiB, 2 passes, 12 ms of CPU. With 64 MiB and 3 passes
 * (73 ms) twenty people who sign in at once on two cores wait most of a second, and uploads wait with them; the limits on
 * guesses and the list of common passwords protect weak passwords more than a slower hash does. `crypto.argon2` of Node
 * 26.10 computes the same hashes but takes three times the CPU, and Node 24 has it only since 24.7.
 */
export const passwordCostDefault: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
