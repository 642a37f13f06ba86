import type { listHttpErrors, ReplyOf } from "@flamekeep/contract";
import type { z } from "zod";
import type { Context, DemoActor, UserActor } from "#context";
import { sinceMinuteMs } from "#http/query/time-range.ts";
import { toMetric } from "./present.ts";
import { latestErrors } from "./request-queries.ts";
import { requestCounts } from "./total-queries.ts";

type Call = typeof listHttpErrors;

/** Senders' clocks may run ahead by so much, and what was accepted is shown. */
const aheadSeconds = 86_400;

/** How many requests failed, and the latest of them. */
export async function listErrors(
  ctx: Context,
  { orgId }: UserActor | DemoActor,
  { service, query }: { readonly service: string; readonly query: z.output<Call["query"]> },
): Promise<ReplyOf<Call>> {
  const nowMs = ctx.now().getTime();
  const asked = { orgId, service, fromSeconds: sinceMinuteMs(query.since, nowMs) / 1000 };
  const toSeconds = Math.floor(nowMs / 1000) + aheadSeconds;
  const [[counts], rows] = await Promise.all([
    ctx.columns.query(requestCounts, { ...asked, toSeconds }),
    ctx.columns.query(latestErrors, { ...asked, limit: query.limit }),
  ]);
  const { clientErrors, serverErrors } = counts!;
  return {
    count: clientErrors + serverErrors,
    count_4xx: clientErrors,
    count_5xx: serverErrors,
    errors: rows.map(toMetric),
  };
}
