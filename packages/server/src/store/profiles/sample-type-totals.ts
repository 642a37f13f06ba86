import { type GraphType, profileTypeEntry, storedTypeOf } from "@flamekeep/contract";
import { z } from "zod";
import { type ColumnReader, query, queryOne } from "#store/column/query.ts";
import { Count, Int64 } from "#store/column/values.ts";

/** Profiles of a type in whole minutes; of all services if the list is empty. */
interface ServicesRange {
  readonly orgId: string;
  readonly type: GraphType;
  readonly fromMs: number;
  readonly toMs: number;
  readonly services: readonly string[];
}

export type SampleTypeTotals = z.output<typeof totalsOfServices.row>;

/** For each service with such profiles, the totals of the first sample type that measures the type. */
export async function totalsByService(
  columns: ColumnReader,
  { orgId, type, fromMs, toMs, services }: ServicesRange,
): Promise<SampleTypeTotals[]> {
  const measuredBy: readonly string[] = profileTypeEntry(type).measuredBy;
  const rows = await columns.query(totalsOfServices, {
    orgId,
    type: storedTypeOf(type),
    from: new Date(fromMs),
    to: new Date(toMs),
    services: [...services],
    sampleTypes: [...measuredBy],
  });
  const rankOf = ({ sampleType }: SampleTypeTotals) => measuredBy.indexOf(sampleType);
  return [...Map.groupBy(rows, ({ service }) => service).values()].map((totals) =>
    totals.reduce((first, each) => (rankOf(each) < rankOf(first) ? each : first)),
  );
}

/** The means of a profile of all services, added up; null without such profiles. The type is a gauge. */
export async function sumOfMeans(
  columns: ColumnReader,
  { orgId, type, fromMs, toMs }: Omit<ServicesRange, "services">,
): Promise<number | null> {
  const { sum, services } = await queryOne(columns, meansOfServices, {
    orgId,
    type: storedTypeOf(type),
    from: new Date(fromMs),
    to: new Date(toMs),
    sampleTypes: [...profileTypeEntry(type).measuredBy],
  });
  return services === 0 ? null : sum;
}

const meansOfServices = query({
  name: "sample-type-totals.means",
  isCacheable: true,
  sql: `SELECT sum(mean) AS sum, count() AS services
        FROM (
          SELECT argMin(mean, rank) AS mean
          FROM (
            SELECT service, indexOf({sampleTypes:Array(String)}, toString(sample_type)) AS rank,
              toFloat64(sum(value)) / sum(profiles) AS mean
            FROM type_totals_1m
            WHERE org_id = {orgId:UUID} AND type = {type:String} AND sample_type IN {sampleTypes:Array(String)}
              AND minute >= {from:DateTime('UTC')} AND minute < {to:DateTime('UTC')}
            GROUP BY service, sample_type
          )
          GROUP BY service
        )`,
  params: z.object({
    orgId: z.uuid(),
    type: z.string(),
    from: z.date(),
    to: z.date(),
    sampleTypes: z.array(z.string()),
  }),
  row: z.object({ sum: z.number(), services: Count }),
});

const totalsOfServices = query({
  name: "sample-type-totals",
  isCacheable: true,
  sql: `SELECT service, sample_type AS sampleType, sum(value) AS total, sum(profiles) AS profiles, sum(duration_ns) AS durationNs
        FROM type_totals_1m
        WHERE org_id = {orgId:UUID} AND type = {type:String} AND sample_type IN {sampleTypes:Array(String)}
          AND (empty({services:Array(String)}) OR service IN {services:Array(String)})
          AND minute >= {from:DateTime('UTC')} AND minute < {to:DateTime('UTC')}
        GROUP BY service, sample_type
        ORDER BY service`,
  params: z.object({
    orgId: z.uuid(),
    type: z.string(),
    from: z.date(),
    to: z.date(),
    services: z.array(z.string()),
    sampleTypes: z.array(z.string()),
  }),
  row: z.object({
    service: z.string(),
    sampleType: z.string(),
    total: Int64,
    profiles: Count,
    durationNs: Int64,
  }),
});
