import type * as calls from "@flamekeep/contract";
import type { AlertCoverage, InputOf } from "@flamekeep/contract";
import type { Actor, Context } from "#context";
import { improvementsOf, presentSignals } from "./present.ts";
import { getCoverage, retentionMs } from "./queries.ts";
import { StoredCoverage } from "./stored-coverage.ts";

const notJudgedYet =
  "Alerts have not judged this service yet, or not in the last eight days. They first judge a service about six minutes after its first profile.";

/** The coverage of a service, as the process that judges it stored it. Has no signals if nothing is stored. */
export async function getAlertCoverage(
  ctx: Context,
  { orgId }: Actor,
  { service }: InputOf<typeof calls.getAlertCoverage>,
): Promise<AlertCoverage> {
  const oldest = new Date(ctx.now().getTime() - retentionMs);
  const row = await getCoverage(ctx.rows, orgId, service, oldest);
  // Another version may have stored another format. The next evaluation replaces it.
  const coverage = row && StoredCoverage.safeParse(JSON.parse(row.coverage)).data;
  if (row === undefined || coverage === undefined) {
    return { service, judged_at: null, message: notJudgedYet, signals: [], improvements: [] };
  }
  return {
    service,
    judged_at: row.judgedAt,
    message: null,
    signals: presentSignals(coverage),
    improvements: improvementsOf(coverage),
  };
}
