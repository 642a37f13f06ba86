import { Readable } from "node:stream";
import { type AuditEntry, type AuditEvent, exportAuditEntries, listAuditEntries } from "@flamekeep/contract";
import { auditEvents } from "@flamekeep/contract/audit-events";
import { csvLine } from "@flamekeep/contract/csv";
import type { FastifyInstance } from "fastify";
import type { Selectable } from "kysely";
import type { Context, UserActor } from "#context";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { type Operation, serve } from "#http/endpoint/serve.ts";
import { FileReply } from "#http/reply/reply.ts";
import type { Database, RowStore } from "#store/row/row-store.ts";

/** Each reads the whole log. */
const exportsPerMinute = 10;

export function registerAudit(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, listAuditEntries, listEntries);
  serve(app, ctx, exportAuditEntries, exportEntries, {
    rate: perMinute(app, "exports of the audit log", exportsPerMinute),
  });
}

const listEntries: Operation<typeof listAuditEntries> = async (ctx, { orgId }, query) => {
  // One more than the page shows whether there is a next one.
  const rows = await auditPage(ctx.rows, orgId, { ...query, limit: query.limit + 1 });
  const entries = rows.slice(0, query.limit).map(presentEntry);
  return { entries, next: rows.length > query.limit ? (entries.at(-1)?.id ?? null) : null };
};

const exportPageSize = 500;
const columns = [
  "at",
  "event",
  "description",
  "outcome",
  "actor",
  "target",
  "address",
  "user_agent",
  "request_id",
];

/** Streamed in pages, so that a long log takes no memory. */
function exportEntries(ctx: Context, { orgId }: UserActor): FileReply {
  const day = ctx.now().toISOString().slice(0, 10);
  return new FileReply("text/csv; charset=utf-8", Readable.from(lines(ctx, orgId)), {
    headers: { "content-disposition": `attachment; filename="flamekeep-audit-${day}.csv"` },
  });
}

async function* lines(ctx: Context, orgId: string): AsyncGenerator<string> {
  yield csvLine(columns);
  for (let before: string | undefined; ; ) {
    const rows = await auditPage(ctx.rows, orgId, { before, limit: exportPageSize });
    yield rows.map(toLine).join("");
    if (rows.length < exportPageSize) return;
    before = rows.at(-1)?.id;
  }
}

function toLine(row: AuditRow): string {
  const { at, event, outcome, actor, target, address, user_agent, request_id } = presentEntry(row);
  return csvLine([at, event, auditEvents[event], outcome, actor, target, address, user_agent, request_id]);
}

function presentEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: row.at,
    event: row.event,
    outcome: row.outcome,
    actor: row.actorKind === "key" ? "API key" : row.email,
    target: row.target,
    address: row.address,
    user_agent: row.userAgent,
    request_id: row.requestId,
  };
}

type AuditRow = Selectable<Database["auditEntries"]> & { readonly email: string | null };

interface Page {
  readonly event?: AuditEvent | undefined;
  /** The id of the last entry of the page before. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Entries of an organization, newest first. */
function auditPage(rows: RowStore, orgId: string, { event, before, limit }: Page): Promise<AuditRow[]> {
  let page = rows
    .selectFrom("auditEntries")
    .leftJoin("users", "users.id", "auditEntries.actorId")
    .selectAll("auditEntries")
    .select("users.email")
    .where("auditEntries.orgId", "=", orgId);
  if (event !== undefined) page = page.where("auditEntries.event", "=", event);
  if (before !== undefined) page = page.where("auditEntries.id", "<", before);
  return page.orderBy("auditEntries.id", "desc").limit(limit).execute();
}
