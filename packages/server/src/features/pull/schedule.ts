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

/**
 * The turn after one that ended at `nowMs`. A turn that is due begins late rather than not at all, because a CPU profile takes nearly the whole
 * interval; turns that are late by half an interval are left out.
 */
export function turnAfterMs(turnMs: number, nowMs: number, intervalMs: number): number {
  const nextMs = turnMs + intervalMs;
  const lateMs = nowMs - nextMs;
  // A clock that was set back would put the turn far ahead.
  if (lateMs < intervalMs / 2 && lateMs >= -intervalMs) return nextMs;
  return nextTurnMs(nowMs, turnMs, intervalMs);
}
