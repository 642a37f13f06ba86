import { Readable } from "node:stream";
import { auditEvents, type InputOf, type listAuditEntries, type ReplyOf } from "@flamekeep/contract";
import { csvLine } from "@flamekeep/contract/csv";
import type { Context, UserActor } from "#context";
import { FileReply } from "#http/reply/reply.ts";
import { presentEntry } from "./present.ts";
import { type AuditRow, auditPage } from "./queries.ts";

export async function listEntries(
  ctx: Context,
  { orgId }: UserActor,
  query: InputOf<typeof listAuditEntries>,
): Promise<ReplyOf<typeof listAuditEntries>> {
  // One more than the page shows whether there is a next one.
  const rows = await auditPage(ctx.rows, orgId, { ...query, limit: query.limit + 1 });
  const entries = rows.slice(0, query.limit).map(presentEntry);
  return { entries, next: rows.length > query.limit ? (entries.at(-1)?.id ?? null) : null };
}

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
export function exportEntries(ctx: Context, { orgId }: UserActor): FileReply {
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
