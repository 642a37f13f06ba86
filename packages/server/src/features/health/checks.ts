import { statfs } from "node:fs/promises";
import type { Check } from "@flamekeep/contract";
import { sql } from "kysely";
import type { Context } from "#context";

/** Below this the embedded engine refuses inserts, to keep room for dropping old days. */
const freeBytesMin = 512 * 1024 * 1024;
const MiB = 1024 * 1024;

/** Each thing the server needs to take work, asked now. */
export function checkAll(ctx: Context): Promise<Check[]> {
  return Promise.all([
    check("column store", () => columnStore(ctx)),
    check("row store", () => rowStore(ctx)),
    check("disk", () => disk(ctx)),
  ]);
}

async function check(name: string, ask: () => Promise<Omit<Check, "name">>): Promise<Check> {
  try {
    return { name, ...(await ask()) };
  } catch (error) {
    return { name, ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

async function columnStore(ctx: Context): Promise<Omit<Check, "name">> {
  const isReady = await ctx.columns.isReady();
  const { lostParts, restarts, outage } = ctx.columns.health();
  if (!isReady) return { ok: false, message: outage ?? "does not answer; it may be restarting" };
  const lost = (await ctx.columns.quarantined()).length + lostParts.length;
  if (lost > 0) return { ok: true, message: `answers, but ${lost} damaged parts were set aside at start` };
  return { ok: true, message: restarts === 0 ? "answers" : `answers; restarted ${restarts} times` };
}

async function rowStore(ctx: Context): Promise<Omit<Check, "name">> {
  await sql`select 1`.execute(ctx.rows);
  return { ok: true, message: "answers" };
}

async function disk(ctx: Context): Promise<Omit<Check, "name">> {
  const { bavail, bsize } = await statfs(ctx.config.dataDir);
  const free = bavail * bsize;
  const words = `${Math.floor(free / MiB)} MiB free for ${ctx.config.dataDir}`;
  return { ok: free >= freeBytesMin, message: words };
}
