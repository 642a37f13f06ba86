import { z } from "zod";
import type { ColumnClient } from "#store/column/client/client.ts";
import { maintenanceQuery } from "#store/column/query.ts";

/** Requests may be older than their upload. Later arrivals are read from the totals by minute. */
const backSeconds = 2 * 86_400;

const Stale = z.object({ orgId: z.uuid(), service: z.string(), hourSeconds: z.int() });

/** Hours whose roll-up is missing or counts other requests than the totals by minute. */
const staleHours = maintenanceQuery({
  name: "roll-up.stale-http-hours",
  sql: `SELECT org_id AS orgId, service, toUnixTimestamp(hour) AS hourSeconds
        FROM (
          SELECT org_id, service, toStartOfHour(minute) AS hour, sum(requests) AS counted, 0 AS summed
          FROM http_service_totals_1m
          WHERE minute >= toDateTime({fromSeconds:UInt32}, 'UTC') AND minute < toDateTime({untilSeconds:UInt32}, 'UTC')
          GROUP BY org_id, service, hour
          UNION ALL
          SELECT org_id, service, hour, 0 AS counted, sum(requests) AS summed
          FROM http_totals_1h
          WHERE hour >= toDateTime({fromSeconds:UInt32}, 'UTC') AND hour < toDateTime({untilSeconds:UInt32}, 'UTC')
          GROUP BY org_id, service, hour
        )
        GROUP BY org_id, service, hour
        HAVING sum(counted) != sum(summed)
        ORDER BY hourSeconds DESC`,
  params: z.object({ fromSeconds: z.int(), untilSeconds: z.int() }),
  row: Stale,
});

/** Brings http_totals_1h up to date for the hours before `untilSeconds`, until it is to stop; returns how many it wrote. */
export async function rollUpHttp(
  client: ColumnClient,
  untilSeconds: number,
  shouldStop: () => boolean,
): Promise<number> {
  const stale = await client.query(staleHours, { fromSeconds: untilSeconds - backSeconds, untilSeconds });
  let written = 0;
  for (const [hourSeconds, ofHour] of Map.groupBy(stale, (row) => row.hourSeconds)) {
    if (shouldStop()) break;
    const params = {
      hour: new Date(hourSeconds * 1000),
      orgIds: ofHour.map(({ orgId }) => orgId),
      services: ofHour.map(({ service }) => service),
    };
    await client.command(removeHour, params);
    await client.command(sumHour, params);
    written += ofHour.length;
  }
  return written;
}

const ofServices = "(org_id, service) IN arrayZip({orgIds:Array(UUID)}, {services:Array(String)})";

const removeHour = `DELETE FROM http_totals_1h WHERE hour = {hour:DateTime('UTC')} AND ${ofServices}
SETTINGS lightweight_deletes_sync = 2`;

// Rows that were removed must be inserted again, so deduplication is off.
const sumHour = `INSERT INTO http_totals_1h
  (org_id, service, method, path, status_class, hour, requests, duration_seconds, durations)
SELECT org_id, service, method, path, status_class, toStartOfHour(minute) AS hour, sum(minutes.requests) AS requests,
  sum(minutes.duration_seconds) AS duration_seconds, sumMap(minutes.durations) AS durations
FROM http_totals_1m AS minutes
WHERE minute >= {hour:DateTime('UTC')} AND minute < {hour:DateTime('UTC')} + INTERVAL 1 HOUR AND ${ofServices}
GROUP BY org_id, service, method, path, status_class, hour
SETTINGS max_threads = 1, insert_deduplicate = 0, max_bytes_before_external_group_by = 100000000`;
