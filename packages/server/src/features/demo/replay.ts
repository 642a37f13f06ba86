import { dayMs, hourMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import { Failure } from "#failure";
import { toLanes } from "./lanes.ts";
import type { Manifest } from "./manifest.ts";
import { type Planned, planUploads } from "./plan.ts";
import { storedSince } from "./queries.ts";
import { RecordedFiles } from "./recorded-files.ts";
import { profileCadence } from "./slots.ts";

/** An upload as the doors of ingestion take it. */
export interface DemoUpload {
  readonly format: "profile" | "http_metrics";
  readonly orgId: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** The way every upload takes; resolves when it is on disk. */
export type TakeUpload = (upload: DemoUpload) => Promise<unknown>;

export interface ReplayParts {
  readonly manifest: Manifest;
  readonly take: TakeUpload;
  readonly orgId: string;
  readonly stopped: AbortSignal;
}

/** Uploads under way beside the memory series. They share commits, so that many cost the store less than few. */
const laneCount = 40;
const refusalCodes: ReadonlySet<string> = new Set(["invalid", "unprocessable", "too_large"]);
/** What retention is about to remove is not sent. */
const retentionMarginMs = hourMs;

/**
 * Sends what the demo should have since `sinceMs` and has not, as of now. Resolves with how many uploads were sent.
 * Whoever calls it twice sends nothing twice: what is stored is asked first, and the ids would be the same.
 */
export async function replay(ctx: Context, parts: ReplayParts, sinceMs = 0): Promise<number> {
  const nowMs = ctx.now().getTime();
  const keptMs = Math.min(profileCadence.sparseMs, ctx.config.retentionDays * dayMs - retentionMarginMs);
  const fromMs = Math.max(sinceMs, nowMs - keptMs);
  const anchorMs = await beganAt(ctx, parts.orgId);
  const planned = planUploads(parts.manifest, { nowMs, fromMs, anchorMs });
  const stored = await storedKeys(ctx, parts.orgId, fromMs);
  const missing = planned.filter(
    (upload) => !stored.has(keyOf(upload.service, upload.file.type, upload.startedAtMs)),
  );
  const files = new RecordedFiles();
  const sent = await Promise.all(toLanes(missing, laneCount).map((lane) => send(ctx, lane, files, parts)));
  return sent.reduce((all, one) => all + one, 0);
}

async function send(
  ctx: Context,
  lane: readonly Planned[],
  files: RecordedFiles,
  parts: ReplayParts,
): Promise<number> {
  let sent = 0;
  for (const upload of lane) {
    if (parts.stopped.aborted) return sent;
    const taken = {
      format: upload.file.type === "metrics" ? "http_metrics" : "profile",
      orgId: parts.orgId,
      query: queryOf(upload),
      body: await files.bodyOf(upload),
    } as const;
    try {
      await parts.take(taken);
      sent++;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const { service, file, startedAtMs } = upload;
      const startedAt = new Date(startedAtMs).toISOString();
      ctx.log.warn({ err: error, service, type: file.type, startedAt }, "demo upload was refused");
    }
  }
  return sent;
}

/** Concerns the one upload. Everything else (the store is away, the disk is full) concerns all, and is tried again later. */
function isRefusal(error: unknown): boolean {
  return error instanceof Failure && refusalCodes.has(error.code);
}

function queryOf({ service, file, tags }: Planned): Record<string, string> {
  if (file.type === "metrics") return { service };
  const instance = `${service}-1:6060`;
  const named = Object.entries({ instance, ...tags }).map(([name, value]) => [`tag.${name}`, value]);
  return { service, type: file.type, ...Object.fromEntries(named) };
}

async function beganAt(ctx: Context, orgId: string): Promise<number> {
  const { createdAt } = await ctx.rows
    .selectFrom("organizations")
    .select("createdAt")
    .where("id", "=", orgId)
    .executeTakeFirstOrThrow();
  return Date.parse(createdAt);
}

async function storedKeys(ctx: Context, orgId: string, fromMs: number): Promise<Set<string>> {
  const rows = await ctx.columns.query(storedSince, { orgId, from: new Date(fromMs) });
  return new Set(rows.map(({ service, type, startedAt }) => keyOf(service, type, startedAt.getTime())));
}

function keyOf(service: string, type: string, startedAtMs: number): string {
  return `${service}/${type}/${startedAtMs}`;
}
