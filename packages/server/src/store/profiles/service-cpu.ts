import { z } from "zod";
import { RowBinaryReader } from "#store/column/client/row-binary.ts";
import { bytesQuery, type ColumnReader } from "#store/column/query.ts";

/** Cores, of one instance; null without CPU profiles that say how long they lasted. */
export interface ServiceCpu {
  readonly current: number | null;
  readonly previous: number | null;
}

interface CpuRange {
  readonly orgId: string;
  /** Whole minutes as Unix seconds: the range before ends where the current one begins. */
  readonly fromSeconds: number;
  readonly currentSeconds: number;
  readonly toSeconds: number;
}

/** The CPU of all services that have CPU profiles in a range or the one before. */
export async function cpuByService(columns: ColumnReader, range: CpuRange): Promise<Map<string, ServiceCpu>> {
  const reader = new RowBinaryReader(await columns.queryBytes(cpuSums, range));
  if (reader.isAtEnd) return new Map();
  const services = reader.texts();
  const [current, previous] = [reader.float64s(), reader.float64s()];
  return new Map(
    services.map((service, at) => [
      service,
      { current: cores(current[at]!), previous: cores(previous[at]!) },
    ]),
  );
}

/** The store divides by a duration of zero. */
function cores(quotient: number): number | null {
  return Number.isFinite(quotient) ? quotient : null;
}

/** One row of columns, because there may be thousands of services. */
const cpuSums = bytesQuery({
  name: "service-trends.sums",
  isCacheable: true,
  sql: `SELECT groupArray(toString(service)), groupArray(current), groupArray(previous)
        FROM (
          SELECT service,
            toFloat64(sumIf(value, minute >= toDateTime({currentSeconds:UInt32}, 'UTC')))
              / toFloat64(sumIf(duration_ns, minute >= toDateTime({currentSeconds:UInt32}, 'UTC'))) AS current,
            toFloat64(sumIf(value, minute < toDateTime({currentSeconds:UInt32}, 'UTC')))
              / toFloat64(sumIf(duration_ns, minute < toDateTime({currentSeconds:UInt32}, 'UTC'))) AS previous
          FROM type_totals_1m
          WHERE org_id = {orgId:UUID} AND type = 'cpu' AND sample_type = 'cpu/nanoseconds'
            AND minute >= toDateTime({fromSeconds:UInt32}, 'UTC') AND minute < toDateTime({toSeconds:UInt32}, 'UTC')
          GROUP BY service
        )`,
  params: z.object({
    orgId: z.uuid(),
    fromSeconds: z.int(),
    currentSeconds: z.int(),
    toSeconds: z.int(),
  }),
});
