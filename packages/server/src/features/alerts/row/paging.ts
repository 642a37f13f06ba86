/** Lists of alerts and of incidents are paged by the time at which each opened, newest first. */
import type { SelectQueryBuilder } from "kysely";
import { z } from "zod";
import type { AlertRow } from "#alerts/row/stored-alert.ts";
import { fromCursor, toCursor } from "#http/query/cursor.ts";
import { momentMs } from "#http/query/time-range.ts";
import type { Database } from "#store/row/row-store.ts";

const PageEnd = z.object({ openedAt: z.iso.datetime(), id: z.uuid() });
/** The last alert of a page. */
export type PageEnd = Readonly<z.output<typeof PageEnd>>;

export interface AlertPage {
  readonly service: string | undefined;
  readonly status: "open" | "resolved" | "all";
  /** Only what was open at this time or later. */
  readonly from?: string | undefined;
  /** Only what opened before this time. */
  readonly to?: string | undefined;
  readonly before: PageEnd | undefined;
  readonly limit: number;
}

interface PageQuery {
  readonly service?: string | undefined;
  readonly status: AlertPage["status"];
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Reads one more than the limit, to know whether another page follows. */
export function toPage({ service, status, from, to, limit, cursor }: PageQuery, now: Date): AlertPage {
  const at = (moment: string | undefined) =>
    moment === undefined ? undefined : new Date(momentMs(moment, now.getTime())).toISOString();
  const before = cursor === undefined ? undefined : fromCursor(PageEnd, cursor);
  return { service, status, from: at(from), to: at(to), before, limit: limit + 1 };
}

/** The rows of the page, and the cursor of the next one. */
export function splitPage<R extends PageEnd>(found: readonly R[], limit: number) {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const hasMore = found.length > page.length && last !== undefined;
  return { page, next_cursor: hasMore ? toCursor({ openedAt: last.openedAt, id: last.id }) : null };
}

/** The rows of these that are on the page, newest first. `status` and `from` are conditions of the query. */
export function pageOf(
  query: SelectQueryBuilder<Database, "alerts", AlertRow>,
  { service, to, before, limit }: AlertPage,
): Promise<AlertRow[]> {
  if (service !== undefined) query = query.where("service", "=", service);
  if (to !== undefined) query = query.where("openedAt", "<", to);
  if (before !== undefined) {
    const { openedAt, id } = before;
    query = query.where((is) =>
      is.or([is("openedAt", "<", openedAt), is.and([is("openedAt", "=", openedAt), is("id", "<", id)])]),
    );
  }
  return query.orderBy("openedAt", "desc").orderBy("id", "desc").limit(limit).execute();
}
