import { minuteMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import { JobLog } from "#store/job-log.ts";
import { storedBytes } from "#store/profiles/stored-usage.ts";

/** The sums read a column of every stored minute. */
const refreshMs = 10 * minuteMs;
/** Bounds the lines of a scrape; the others are added up. */
const organizationsMax = 100;

/** Adds the stored bytes of the largest organizations to /metrics. A scrape begins to read them and does not wait: the next one has them. */
export function measureOrganizationBytes(ctx: Pick<Context, "columns" | "log" | "metrics" | "rows">): void {
  const jobLog = new JobLog(ctx.log, "the sum of stored bytes for /metrics");
  let values: readonly OrganizationBytes[] = [];
  let nextReadMs = Number.NEGATIVE_INFINITY;
  const read = async () => {
    try {
      values = largest(await bytesByOrganization(ctx));
      jobLog.succeeded();
    } catch (error) {
      jobLog.failed(error);
      nextReadMs = performance.now() + minuteMs;
    }
  };
  const help = `Stored bytes as sent, of the ${organizationsMax} largest organizations by id, and of all others; at most ten minutes old.`;
  ctx.metrics.gauges("flamekeep_organization_stored_bytes", help, () => {
    if (performance.now() >= nextReadMs) {
      nextReadMs = performance.now() + refreshMs;
      void read();
    }
    return values.map(({ id, bytes }) => ({ labels: { organization: id }, value: bytes }));
  });
}

interface OrganizationBytes {
  readonly id: string;
  readonly bytes: number;
}

async function bytesByOrganization({
  columns,
  rows,
}: Pick<Context, "columns" | "rows">): Promise<OrganizationBytes[]> {
  const organizations = await rows.selectFrom("organizations").select("id").execute();
  // Not behind rows that wait: a scrape must not have them written early.
  const sums = await columns.direct.query(storedBytes, { orgIds: organizations.map(({ id }) => id) });
  return sums.map(({ orgId, bytes }) => ({ id: orgId, bytes }));
}

/** The largest organizations, and the sum of the others as `other` if there are more. */
export function largest(all: readonly OrganizationBytes[]): OrganizationBytes[] {
  const sorted = all.toSorted((a, b) => b.bytes - a.bytes || a.id.localeCompare(b.id));
  const rest = sorted.slice(organizationsMax);
  const other = { id: "other", bytes: rest.reduce((sum, { bytes }) => sum + bytes, 0) };
  return [...sorted.slice(0, organizationsMax), ...(rest.length > 0 ? [other] : [])];
}
