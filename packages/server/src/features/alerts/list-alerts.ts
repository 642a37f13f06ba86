import type { listAlerts, ReplyOf } from "@flamekeep/contract";
import type { z } from "zod";
import type { Context, DemoActor, UserActor } from "#context";
import { alertPage, countOpenAlerts, mutedSeries } from "./alert-queries.ts";
import { fromCursor, toCursor } from "./cursor.ts";
import { toAlert } from "./present.ts";

type Query = z.output<(typeof listAlerts)["query"]>;

export async function listAlertsOf(
  { rows }: Context,
  { orgId }: UserActor | DemoActor,
  { service, status, limit, cursor }: Query,
): Promise<ReplyOf<typeof listAlerts>> {
  const before = cursor === undefined ? undefined : fromCursor(cursor);
  const [found, muted, openCount] = await Promise.all([
    alertPage(rows, orgId, { service, status, before, limit: limit + 1 }),
    mutedSeries(rows, orgId),
    countOpenAlerts(rows, orgId),
  ]);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    alerts: page.map((row) => toAlert(row, muted)),
    next_cursor: found.length > page.length && last !== undefined ? toCursor(last) : null,
    open_count: openCount,
  };
}
