export interface PasswordCost {
  /** KiB. */
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/**
 * argon2id with 7 MiB and 5 passes, one of the settings that OWASP's Password Storage Cheat Sheet calls equally strong. On two cores
 * with 2 MiB of cache it is the fastest of them, because two at once do not wait for the same memory: measured in turns with other work
 * on the machine, it takes 11.3 ms, 9 MiB and 4 passes 12.2, 12 MiB and 3 passes 12.1, and 19 MiB and 2 passes 16.5. Twenty people who
 * sign in at once wait for all of them. With 64 MiB and 3 passes (73 ms on a quiet machine, 7 for 9 MiB) they wait most of a second, and uploads wait with
 * them; the limits on guesses and the list of common passwords protect weak passwords more than a slower hash does. `crypto.argon2` of
 * Node 26.10 computes the same hashes but takes three times the CPU, and Node 24 has it only since 24.7.
 */
export const passwordCostDefault: PasswordCost = { memoryCost: 7_168, timeCost: 5, parallelism: 1 };
