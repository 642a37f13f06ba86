export interface PasswordCost {
  /** KiB. */
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/**
 * argon2id with 9 MiB and 4 passes, one of the settings that OWASP's Password Storage Cheat Sheet calls equally strong. On two cores
 * with 2 MiB of cache it takes 7 ms of CPU, and two at once do not slow each other down; 19 MiB and 2 passes take 9 ms, or 12 ms each where
 * two wait for the same memory. Twenty people who sign in at once wait for all of them. With 64 MiB and 3 passes (73 ms) they wait most of
 * a second, and uploads wait with them; the limits on guesses and the list of common passwords protect weak passwords more than a slower
 * hash does. `crypto.argon2` of Node 26.10 computes the same hashes but takes three times the CPU, and Node 24 has it only since 24.7.
 */
export const passwordCostDefault: PasswordCost = { memoryCost: 9_216, timeCost: 4, parallelism: 1 };
