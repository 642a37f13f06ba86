import { z } from "zod";
import type { ColumnClient } from "#store/column/client/client.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { Count, Day } from "#store/column/values.ts";
import { recountScope } from "./recount-hours.ts";

/**
 * Recounts the roll-ups of whole days, of all services, from their rows, and removes HTTP requests whose profile is missing. A day is
 * a partition of each table, so that its roll-ups are dropped at once: for many hours this is far quicker than `recountHours`.
 * No server may use the store meanwhile. Running it twice changes nothing.
 *
 * @param onRecounted called after each day with the number of days that are done
 */
export async function recountDays(
  client: ColumnClient,
  days: readonly string[],
  onRecounted: (days: number) => void = () => undefined,
): Promise<void> {
  for (const [index, day] of days.toSorted().entries()) {
    await removeUnanswered(client, day);
    await recountScope(client, {
      params: { day },
      rowsAt: (clock) => `toDate(${clock}) = {day:Date}`,
      clear: (table) => client.command(`ALTER TABLE ${table} DROP PARTITION '${Day.parse(day)}'`),
    });
    onRecounted(index + 1);
  }
}

/** Requests are stored before the profile that represents them: see `recountHours`. */
async function removeUnanswered(client: ColumnClient, day: string): Promise<void> {
  const [{ count = 0 } = {}] = await client.query(unansweredRequests, { day });
  if (count === 0) return;
  await client.command(
    `DELETE FROM http_requests WHERE ${isUnanswered} SETTINGS lightweight_deletes_sync = 2`,
    { day },
  );
}

const isUnanswered = `toDate(at) = {day:Date}
  AND (org_id, profile_id) NOT IN (SELECT org_id, profile_id FROM profiles WHERE type = 'metrics')`;

const unansweredRequests = maintenanceQuery({
  name: "recount.unanswered-requests",
  sql: `SELECT count() AS count FROM http_requests WHERE ${isUnanswered}`,
  params: z.object({ day: Day }),
  row: z.object({ count: Count }),
});
