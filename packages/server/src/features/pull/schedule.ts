import { createHash } from "node:crypto";

/**
 * Where in the interval a process has its turn: the same after each start and on each server, and spread evenly over all.
 */
export function offsetMs(key: string, intervalMs: number): number {
  return createHash("sha256").update(key).digest().readUInt32BE() % intervalMs;
}

/** The first turn after `nowMs`. Turns that passed are left out. */
export function nextTurnMs(nowMs: number, offset: number, intervalMs: number): number {
  return Math.floor((nowMs - offset) / intervalMs) * intervalMs + intervalMs + offset;
}
