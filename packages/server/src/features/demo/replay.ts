import { dayMs, hourMs } from "@flamekeep/contract/durations";
import { z } from "zod";
import type { Context } from "#context";
import { Failure } from "#failure";
import { query } from "#store/column/query.ts";
import { Instant } from "#store/column/values.ts";
import type { Manifest } from "./manifest.ts";
import { type Planned, planUploads, profileCadence, toLanes } from "./plan.ts";
import { RecordedFiles } from "./recorded-files.ts";

/** The profiles that an organization has since a time, by their keys. */
export const storedSince = query({
  name: "demo.stored_since",
  sql: `SELECT service, type, started_at AS startedAt
    FROM profiles
    WHERE org_id = {orgId:UUID} AND started_at >= {from:DateTime64(3, 'UTC')}`,
  params: z.object({ orgId: z.uuid(), from: z.date() }),
  row: z.object({ service: z.string(), type: z.string(), startedAt: Instant }),
});

/** An upload as the endpoints of ingestion accept it. */
export interface DemoUpload {
  readonly format: "profile" | "http_metrics";
  readonly orgId: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Ingests an upload like a request; resolves when it is on disk. */
export type TakeUpload = (upload: DemoUpload) => Promise<unknown>;

export interface ReplayParts {
  readonly manifest: Manifest;
  readonly take: TakeUpload;
  readonly orgId: string;
  readonly stopped: AbortSignal;
}

/** Lanes in addition to the lanes of memory snapshots. Concurrent uploads share commits, which costs the store less. */
const laneCount = 40;
const refusalCodes: ReadonlySet<string> = new Set(["invalid", "unprocessable", "too_large"]);
/** Profiles that retention is about to remove are not sent. */
const retentionMarginMs = hourMs;

/**
 * Sends the uploads since `sinceMs` that the demo does not have yet, and resolves with their number. Calling it again
 * sends nothing twice: it first reads what is stored, and the ids would be the same.
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

/** Whether only this upload is refused. Other failures (no store, full disk) concern all uploads, which are sent again later. */
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
