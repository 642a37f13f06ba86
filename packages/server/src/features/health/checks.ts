import type { Check, Warning } from "@flamekeep/contract";
import { sql } from "kysely";
import type { Context } from "#context";
import { currentNotices, currentWarnings } from "./warnings.ts";

const MiB = 1024 * 1024;
const GiB = 1024 * MiB;
const checkMsMax = 2_000;

export const columnStoreName = "column store";

/** The result of checking a part that the server needs. */
export interface CheckedPart {
  readonly name: string;
  readonly ok: boolean;
  /** For all signed-in people: without paths, addresses and causes. */
  readonly message: string;
  /** The same for operators, with paths, addresses and causes. */
  readonly detail?: string;
  /** It works, but will soon fail. */
  readonly needsAttention?: boolean;
}

type Outcome = Omit<CheckedPart, "name">;

/** Checks each part that the server needs to accept work; takes two seconds at most. */
export function checkAll(ctx: Context): Promise<CheckedPart[]> {
  return Promise.all([
    check(columnStoreName, () => columnStore(ctx)),
    check("row store", () => rowStore(ctx)),
    check("disk", () => disk(ctx)),
  ]);
}

export function withDetail({ name, ok, message, detail }: CheckedPart): Check {
  return { name, ok, message: detail ?? message };
}

/**
 * Empty if they cannot be determined within the limit: an unresponsive data folder already fails the check of the disk.
 */
export async function checkWarnings(ctx: Context): Promise<Warning[]> {
  try {
    return await withinLimit(currentWarnings(ctx), []);
  } catch (error) {
    ctx.log.warn({ err: error }, "the data folder could not be searched for damaged stores and files");
    return [];
  }
}

/** Empty if they cannot be determined within the limit, as for warnings. */
export async function checkNotices(ctx: Context): Promise<Warning[]> {
  try {
    return await withinLimit(currentNotices(ctx), []);
  } catch (error) {
    ctx.log.warn({ err: error }, "the folder outbox could not be read");
    return [];
  }
}

async function check(name: string, examine: () => Promise<Outcome>): Promise<CheckedPart> {
  try {
    const late = { ok: false, message: `does not answer within ${checkMsMax / 1000} s` };
    return { name, ...(await withinLimit<Outcome>(examine(), late)) };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { name, ok: false, message: "does not answer", detail };
  }
}

function withinLimit<T>(outcome: Promise<T>, late: T): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(late), checkMsMax);
    outcome.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

async function columnStore(ctx: Context): Promise<Outcome> {
  const isReady = await ctx.columns.isReady();
  const { restarts, outage, outageCause } = ctx.columns.health();
  if (outage !== undefined) {
    if (outageCause === undefined) return { ok: false, message: outage };
    return { ok: false, message: outage, detail: `${outage}. Last attempt: ${outageCause}` };
  }
  // The engine process is known to have ended only a moment after its connection fails.
  const isOurs = ctx.config.columns.kind === "embedded";
  if (!isReady) return { ok: false, message: isOurs ? "is restarting" : "does not answer" };
  if (restarts === 0) return { ok: true, message: "answers" };
  return { ok: true, message: `answers; restarted ${restarts === 1 ? "once" : `${restarts} times`}` };
}

async function rowStore(ctx: Context): Promise<Outcome> {
  await sql`select 1`.execute(ctx.rows);
  return { ok: true, message: "answers" };
}

/** In the units of the web app, which shows this text: 1 MB is 2^20 bytes. */
function sizeText(bytes: number): string {
  return bytes < 10 * GiB ? `${Math.floor(bytes / MiB)} MB` : `${Math.floor(bytes / GiB)} GB`;
}

async function disk(ctx: Context): Promise<Outcome> {
  const { reserveBytes } = ctx.disk;
  const fault = await ctx.disk.writeFault();
  if (fault !== undefined) {
    const message = fault === "ESTALE" ? "was moved or replaced" : "cannot be written";
    return { ok: false, message, detail: `${message}: ${ctx.config.dataDir} (${fault})` };
  }
  const freeBytes = await ctx.disk.freeBytes();
  const free = `${sizeText(freeBytes)} free`;
  const detail = `${free} for ${ctx.config.dataDir}; uploads need ${sizeText(reserveBytes)} (DISK_RESERVE_BYTES)`;
  if (freeBytes < reserveBytes) {
    return { ok: false, message: `is full: ${free}`, detail: `is full: ${detail}` };
  }
  if (freeBytes >= 2 * reserveBytes) return { ok: true, message: free, detail };
  const message = `is nearly full: ${free}`;
  return { ok: true, message, detail: `is nearly full: ${detail}`, needsAttention: true };
}
