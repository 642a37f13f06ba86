import { createHash } from "node:crypto";
import type { Context } from "#context";
import { rateLimited } from "#failure";

/** Failed sign-ins that cost nothing, then 1, 2, 4 ... seconds. An address may stand for a whole office. */
const freeFailures = { account: 5, address: 20 };
const delaySecondsMax = 900;
/** After this long without a failure the count starts anew. */
const forgottenMs = 60 * 60_000;

type Kind = keyof typeof freeFailures;

export interface Subject {
  readonly kind: Kind;
  readonly name: string;
}

/** Throws 429 while one of the subjects has to wait. */
export async function admitAttempt(ctx: Context, subjects: readonly Subject[]): Promise<void> {
  const now = ctx.now();
  const rows = await ctx.rows
    .selectFrom("loginThrottle")
    .select("blockedUntil")
    .where("subject", "in", subjects.map(keyOf))
    .execute();
  const waitsMs = rows.map(({ blockedUntil }) =>
    blockedUntil === null ? 0 : Date.parse(blockedUntil) - now.getTime(),
  );
  const seconds = Math.ceil(Math.max(0, ...waitsMs) / 1000);
  if (seconds === 0) return;
  ctx.metrics.count("flamekeep_sign_ins_refused_total", "Sign-ins refused after too many failures.");
  throw rateLimited(`Too many failed attempts. Try again in ${seconds} s.`, seconds);
}

export async function recordFailure(ctx: Context, subjects: readonly Subject[]): Promise<void> {
  for (const subject of subjects) await recordFailureOf(ctx, subject);
}

async function recordFailureOf(ctx: Context, subject: Subject): Promise<void> {
  const now = ctx.now();
  const key = keyOf(subject);
  const forgotten = new Date(now.getTime() - forgottenMs).toISOString();
  await ctx.rows.transaction().execute(async (rows) => {
    await rows.deleteFrom("loginThrottle").where("lastFailureAt", "<", forgotten).execute();
    const { failures } = await rows
      .insertInto("loginThrottle")
      .values({ subject: key, failures: 1, lastFailureAt: now.toISOString() })
      .onConflict((conflict) =>
        conflict.column("subject").doUpdateSet((is) => ({
          failures: is("loginThrottle.failures", "+", 1),
          lastFailureAt: now.toISOString(),
        })),
      )
      .returning("failures")
      .executeTakeFirstOrThrow();
    const seconds = delaySeconds(failures, freeFailures[subject.kind]);
    if (seconds === 0) return;
    const blockedUntil = new Date(now.getTime() + seconds * 1000).toISOString();
    await rows.updateTable("loginThrottle").set({ blockedUntil }).where("subject", "=", key).execute();
  });
}

/** A right password clears the account; the address keeps its count, else one good account would free it. */
export async function clearFailures(ctx: Context, subject: Subject): Promise<void> {
  await ctx.rows.deleteFrom("loginThrottle").where("subject", "=", keyOf(subject)).execute();
}

/** 0 while the failures are free, then doubling up to 15 minutes. */
export function delaySeconds(failures: number, free: number): number {
  if (failures < free) return 0;
  return Math.min(delaySecondsMax, 2 ** Math.min(failures - free, 20));
}

/** Hashed: what people type into an address field, passwords among it, does not belong into a table. */
function keyOf({ kind, name }: Subject): string {
  return `${kind}:${createHash("sha256").update(name).digest("hex")}`;
}
