/** Counts and totals by which two stores are compared. */
import { z } from "zod";
import { type ColumnReader, query } from "#store/column/query.ts";
import { Count, Day } from "#store/column/values.ts";

/** The sums of a service, type and day (UTC); the type of HTTP requests is null. */
export const Figure = z.strictObject({
  service: z.string(),
  type: z.string().nullable(),
  day: Day,
  /** Profiles, or HTTP requests. */
  count: Count,
  /** As the roll-ups by minute count them. */
  rolledUp: Count,
  /** By sample type; samples, bytes before compression, and nanoseconds of requests are among them. */
  totals: z.record(z.string(), z.string()),
  /** Of ids, times and totals. Empty for requests. */
  checksum: z.string(),
});
export type Figure = z.output<typeof Figure>;

export async function figuresOf(columns: ColumnReader, orgId: string): Promise<Figure[]> {
  const [profiles, requests, rolledProfiles, rolledRequests] = await Promise.all([
    columns.query(profileFigures, { orgId }),
    columns.query(requestFigures, { orgId }),
    columns.query(rolledUpProfiles, { orgId }),
    columns.query(rolledUpRequests, { orgId }),
  ]);
  const rolledUp = new Map(
    [...rolledProfiles, ...rolledRequests].map((each) => [keyOf(each), each.count] as const),
  );
  return [...profiles, ...requests].map((figure) => ({
    ...figure,
    rolledUp: rolledUp.get(keyOf(figure)) ?? 0,
  }));
}

const keyOf = ({ service, type, day }: Pick<Figure, "service" | "type" | "day">): string =>
  JSON.stringify([service, type, day]);

/** A sentence for each figure that differs. */
export function differences(expected: readonly Figure[], found: readonly Figure[]): string[] {
  const byKey = new Map(found.map((figure) => [keyOf(figure), figure]));
  const missing = expected.flatMap((figure) => differenceOf(figure, byKey.get(keyOf(figure))));
  const known = new Set(expected.map(keyOf));
  const days = new Set(expected.map(({ day }) => day));
  // Retention may have dropped a whole day since an earlier run copied it.
  const added = found.filter((figure) => !known.has(keyOf(figure)) && days.has(figure.day));
  return [...missing, ...added.map((figure) => `${nameOf(figure)}: 0 expected, ${figure.count} found.`)];
}

function differenceOf(expected: Figure, found: Figure | undefined): string[] {
  const name = nameOf(expected);
  if (found === undefined) return [`${name}: ${expected.count} expected, none found.`];
  if (found.count !== expected.count) return [`${name}: ${expected.count} expected, ${found.count} found.`];
  if (found.rolledUp !== found.count)
    return [`${name}: ${found.count} found, and ${found.rolledUp} in the roll-ups.`];
  const isEqual =
    found.checksum === expected.checksum &&
    JSON.stringify(Object.entries(found.totals).sort()) ===
      JSON.stringify(Object.entries(expected.totals).sort());
  return isEqual ? [] : [`${name}: as many as expected, with other totals.`];
}

function nameOf({ service, type, day }: Figure): string {
  return `${JSON.stringify(service)}, ${type ?? "HTTP requests"}, ${day}`;
}

const summaryLinesMax = 40;

/** A line for each service and type. */
export function summaryOf(figures: readonly Figure[]): string[] {
  const groups = Map.groupBy(figures, ({ service, type }) => JSON.stringify([service, type]));
  const lines = [...groups.values()].slice(0, summaryLinesMax).map((group) => {
    const { service, type } = group[0]!;
    const days = group.length === 1 ? group[0]!.day : `${group.length} days`;
    return `  ${JSON.stringify(service)}, ${type ?? "HTTP requests"}: ${countOf(group)} on ${days}`;
  });
  const more = groups.size - lines.length;
  const all = more > 0 ? [`  and ${more} more services and types: ${countOf(figures)} in all`] : [];
  return [...lines, ...all];
}

function countOf(figures: readonly Figure[]): number {
  return figures.reduce((sum, { count }) => sum + count, 0);
}

const ofOrganization = z.object({ orgId: z.uuid() });

/** ClickHouse's pair of keys and values. */
const Sums = z
  .tuple([z.array(z.string()), z.array(z.string())])
  .transform(([keys, values]) => Object.fromEntries(keys.map((key, index) => [key, values[index]!])));

const profileFigures = query({
  name: "move.profile-figures",
  sql: `SELECT service, type, toString(toDate(started_at)) AS day, count() AS count,
      sumMap(arrayConcat(['samples of all', 'bytes'], arrayMap(name -> toString(name), sample_types)),
        arrayConcat([toInt64(sample_count), toInt64(raw_bytes)], arrayResize(totals, length(sample_types)))) AS sums,
      toString(groupBitXor(cityHash64(profile_id, started_at, duration_ns, totals, deltas_totals, stack_count))) AS checksum
    FROM profiles WHERE org_id = {orgId:UUID}
    GROUP BY service, type, day ORDER BY service, type, day`,
  params: ofOrganization,
  row: z
    .object({
      service: z.string(),
      type: z.string(),
      day: Day,
      count: Count,
      sums: Sums,
      checksum: z.string(),
    })
    .transform(({ sums: totals, ...figure }) => ({ ...figure, totals })),
});

const requestFigures = query({
  name: "move.request-figures",
  sql: `SELECT service, toString(toDate(at)) AS day, count() AS count,
      toString(sum(toInt64(round(duration_seconds * 1e9)))) AS nanoseconds
    FROM http_requests WHERE org_id = {orgId:UUID}
    GROUP BY service, day ORDER BY service, day`,
  params: ofOrganization,
  row: z
    .object({ service: z.string(), day: Day, count: Count, nanoseconds: z.string() })
    .transform(({ nanoseconds, ...figure }) => ({
      ...figure,
      type: null,
      totals: { nanoseconds },
      checksum: "",
    })),
});

const rolledUpProfiles = query({
  name: "move.rolled-up-profiles",
  sql: `SELECT service, type, toString(toDate(minute)) AS day, sum(profiles) AS count
    FROM type_totals_1m WHERE org_id = {orgId:UUID} AND sample_type = ''
    GROUP BY service, type, day`,
  params: ofOrganization,
  row: z.object({ service: z.string(), type: z.string(), day: Day, count: Count }),
});

const rolledUpRequests = query({
  name: "move.rolled-up-requests",
  sql: `SELECT service, toString(toDate(minute)) AS day, sum(requests) AS count
    FROM http_service_totals_1m WHERE org_id = {orgId:UUID}
    GROUP BY service, day`,
  params: ofOrganization,
  row: z
    .object({ service: z.string(), day: Day, count: Count })
    .transform((figure) => ({ ...figure, type: null })),
});
