import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { unavailable } from "#failure";

/**
 * argon2id, the library's default. About 60 ms and 64 MiB each; above the minimum of OWASP's Password Storage Cheat Sheet
 * (19 MiB, 2 passes). `crypto.argon2` of Node 26.10 computes the same hashes but takes three times the CPU (measured:
 * 260 ms against 90 ms), and Node 24 has it only since 24.7.
 */
const cost = { memoryCost: 65_536, timeCost: 3, parallelism: 1 };

/** Hashes computed at a time: each takes memory, and libuv's threads serve files and DNS too. */
const runningMax = Math.max(1, Math.min(4, availableParallelism()));
const waitingMax = 200;

/** The hash of random bytes that were not stored, at the cost above. */
const unmatchableHash =
  "$argon2id$v=19$m=65536,t=3,p=1$lDfJ9nONKr3wTcX1bW9pGQ$H/vLLyFJbVjG8J1mQbxsOfnwamHk6eokIUNV8qsmSoo";

let running = 0;
const waiting: (() => void)[] = [];

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, cost));
}

/**
 * Whether the password matches the stored hash. Without a hash it does the same work, so that the time of a reply does
 * not reveal whether the account exists.
 */
export async function isPasswordOf(stored: string | undefined, password: string): Promise<boolean> {
  const isRight = await inTurn(() => verify(stored ?? unmatchableHash, password));
  return isRight && stored !== undefined;
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= runningMax) {
    if (waiting.length >= waitingMax)
      throw unavailable("Too many people are signing in. Try again in a moment.");
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running++;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
}
