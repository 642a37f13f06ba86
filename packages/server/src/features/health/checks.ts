import { statfs } from "node:fs/promises";
import type { Check } from "@flamekeep/contract";
import { sql } from "kysely";
import type { Context } from "#context";

/** Below this the embedded engine refuses inserts, to keep room for dropping old days. */
const freeBytesMin = 512 * 1024 * 1024;
const MiB = 1024 * 1024;
const checkMsMax = 2_000;

/** Something the server needs, examined now. */
export interface CheckedPart {
  readonly name: string;
  readonly ok: boolean;
  /** For everybody who is signed in: no paths, addresses or causes. */
  readonly message: string;
  /** The same for operators, who may see all of it. */
  readonly detail?: string;
}

type Outcome = Omit<CheckedPart, "name">;

/** Each thing the server needs to take work, examined now; takes two seconds at most. */
export function checkAll(ctx: Context): Promise<CheckedPart[]> {
  return Promise.all([
    check("column store", () => columnStore(ctx)),
    check("row store", () => rowStore(ctx)),
    check("disk", () => disk(ctx)),
  ]);
}

export function forOperators({ name, ok, message, detail }: CheckedPart): Check {
  return { name, ok, message: detail ?? message };
}

async function check(name: string, examine: () => Promise<Outcome>): Promise<CheckedPart> {
  try {
    return { name, ...(await withinLimit(examine())) };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { name, ok: false, message: "does not answer", detail };
  }
}

function withinLimit(outcome: Promise<Outcome>): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const seconds = checkMsMax / 1000;
    const timer = setTimeout(
      () => resolve({ ok: false, message: `does not answer within ${seconds} s` }),
      checkMsMax,
    );
    outcome.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

async function columnStore(ctx: Context): Promise<Outcome> {
  const isReady = await ctx.columns.isReady();
  const { restarts, outage, outageCause } = ctx.columns.health();
  if (outage !== undefined) {
    const detail = outageCause === undefined ? outage : `${outage} Last attempt: ${outageCause}`;
    return { ok: false, message: outage, detail };
  }
  if (!isReady) return { ok: false, message: "does not answer; it may be restarting" };
  return { ok: true, message: restarts === 0 ? "answers" : `answers; restarted ${restarts} times` };
}

async function rowStore(ctx: Context): Promise<Outcome> {
  await sql`select 1`.execute(ctx.rows);
  return { ok: true, message: "answers" };
}

async function disk(ctx: Context): Promise<Outcome> {
  const { bavail, bsize } = await statfs(ctx.config.dataDir);
  const free = bavail * bsize;
  const message = `${Math.floor(free / MiB)} MiB free`;
  return { ok: free >= freeBytesMin, message, detail: `${message} for ${ctx.config.dataDir}` };
}
