import { z } from "zod";
import { type ColumnReader, query } from "#store/column/query.ts";
import { fileFact, keyFact } from "./profile-row.ts";

/** People open files with a session: their profiles name a file and no key. Those of a key may be files too. */
const sentProfile = query({
  name: "profiles.sent",
  sql: `SELECT 1 AS sent FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
          AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
          AND NOT (facts['${fileFact}'] != '' AND facts['${keyFact}'] = '')
        LIMIT 1`,
  params: z.object({ orgId: z.uuid(), service: z.string(), type: z.string(), from: z.date(), to: z.date() }),
  row: z.object({ sent: z.number() }),
});

/** Whether a program sends the series. Files that people opened are no series: they are not analysed daily and raise no alerts. */
export async function hasSender(
  columns: Pick<ColumnReader, "query">,
  series: z.output<typeof sentProfile.params>,
): Promise<boolean> {
  return (await columns.query(sentProfile, series)).length > 0;
}
