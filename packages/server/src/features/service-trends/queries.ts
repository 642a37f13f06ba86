import { ProfileType } from "@flamekeep/contract";
import { z } from "zod";
import { query } from "#store/column/query.ts";
import type { RowStore } from "#store/row/row-store.ts";

const Figures = z.array(z.number());

/**
 * A row per service: arrays in parallel, one entry per bucket that has CPU profiles, in no order. The whole time before
 * `fromSeconds` is one bucket, which starts at 0.
 */
export const cpuByService = query({
  name: "service-trends.cpu",
  sql: `SELECT service, groupArray(start) AS starts, groupArray(total) AS totals, groupArray(lasted) AS durationsNs
        FROM (
          SELECT service, if(minute < toDateTime({fromSeconds:UInt32}, 'UTC'), 0,
              intDiv(toUnixTimestamp(minute), {bucketSeconds:UInt32})) AS start,
            toFloat64(sum(value)) AS total, toFloat64(sum(duration_ns)) AS lasted
          FROM type_totals_1m
          WHERE org_id = {orgId:UUID} AND type = 'cpu' AND sample_type = 'cpu/nanoseconds'
            AND minute >= toDateTime({beforeSeconds:UInt32}, 'UTC') AND minute < toDateTime({toSeconds:UInt32}, 'UTC')
          GROUP BY service, start
        )
        GROUP BY service`,
  params: z.object({
    orgId: z.uuid(),
    /** Whole minutes as Unix seconds. */
    beforeSeconds: z.int(),
    fromSeconds: z.int(),
    toSeconds: z.int(),
    bucketSeconds: z.int(),
  }),
  row: z.object({ service: z.string(), starts: Figures, totals: Figures, durationsNs: Figures }),
});

export interface OpenAlerts {
  readonly service: string;
  readonly count: number;
  /** The largest increase, which is a fraction. */
  readonly increase: number;
  /** The alert about profiles with the largest increase. */
  readonly worst: { readonly type: ProfileType; readonly increase: number } | undefined;
}

/** Alerts by service that are open and not muted. */
export async function openAlertsByService(rows: RowStore, orgId: string, now: Date): Promise<OpenAlerts[]> {
  const found = await rows
    .selectFrom("alerts")
    .leftJoin("alertMutes", (join) =>
      join
        .onRef("alertMutes.orgId", "=", "alerts.orgId")
        .onRef("alertMutes.service", "=", "alerts.service")
        .onRef("alertMutes.type", "=", "alerts.type")
        .on((eb) => eb.or([eb("until", "is", null), eb("until", ">", now.toISOString())])),
    )
    .select(["alerts.service", "alerts.type", "alerts.sampleType", "alerts.increase"])
    .where("alerts.orgId", "=", orgId)
    .where("resolvedAt", "is", null)
    .where("alertMutes.service", "is", null)
    .orderBy("alerts.increase", "desc")
    .execute();
  return [...Map.groupBy(found, ({ service }) => service)].map(([service, alerts]) => {
    // Alerts about requests have the type of their evidence, which did not rise.
    const ofProfiles = alerts.find(({ sampleType }) => !sampleType.startsWith("http_"));
    const worst = ofProfiles && {
      type: ProfileType.parse(ofProfiles.type),
      increase: ofProfiles.increase,
    };
    return { service, count: alerts.length, increase: alerts[0]!.increase, worst };
  });
}
