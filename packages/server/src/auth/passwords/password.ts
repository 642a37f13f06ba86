import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { unavailable } from "#failure";
import type { PasswordCost } from "./password-cost.ts";

/** Hashes computed at a time: each takes memory, and libuv's threads serve files and DNS too. */
const runningMax = Math.max(1, Math.min(4, availableParallelism()));
const waitingMax = 200;

/** A salt and random bytes in place of its hash. */
const unmatchable = "lDfJ9nONKr3wTcX1bW9pGQ$H/vLLyFJbVjG8J1mQbxsOfnwamHk6eokIUNV8qsmSoo";

let running = 0;
const waiting: (() => void)[] = [];

export function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  return inTurn(() => hash(password, cost));
}

/**
 * Whether the password matches the stored hash. Without a hash it does the same work, so that the time of a reply does
 * not reveal whether the account exists.
 */
export async function verifyPassword(
  stored: string | undefined,
  password: string,
  cost: PasswordCost,
): Promise<boolean> {
  const isRight = await inTurn(() => verify(stored ?? unmatchableHash(cost), password));
  return isRight && stored !== undefined;
}

/** Whether the hash was made at another cost: checking it takes longer or shorter than the work for an unknown account. */
export function needsRehash(stored: string, cost: PasswordCost): boolean {
  return !stored.startsWith(`${prefixOf(cost)}$`);
}

function unmatchableHash(cost: PasswordCost): string {
  return `${prefixOf(cost)}$${unmatchable}`;
}

function prefixOf({ memoryCost, timeCost, parallelism }: PasswordCost): string {
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}`;
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= runningMax) {
    if (waiting.length >= waitingMax)
      throw unavailable("Too many sign-ins at the moment. Try again shortly.");
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
