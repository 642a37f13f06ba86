import { randomUUID } from "node:crypto";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { utcDayOf } from "#store/column/utc.ts";
import { JobLog, repeat, whileListening } from "#store/job-log.ts";
import { readKeptDays } from "#store/row/organization-limits.ts";
import { acrossOrganizations } from "#store/row/row-store.ts";
import { timedJob } from "#telemetry/timed-job.ts";
import type { Analysers } from "./analysers/analyser.ts";
import { measureDue } from "./effect/measure-due.ts";
import { requeueLost } from "./queue/claim.ts";
import { queueDaily } from "./queue/daily.ts";
import { keepAnalysing, WakeSignal } from "./queue/runner.ts";

const cleanTiming = { firstAfterMs: 5 * minuteMs, everyMs: hourMs };
const dailyTiming = { firstAfterMs: 20_000, everyMs: minuteMs };
const measureTiming = { firstAfterMs: minuteMs, everyMs: minuteMs };

/**
 * While the server listens, works on the queue, fills it with daily analyses, measures the effect of recommendations, and removes old
 * analyses. Returns the function that wakes the queue.
 */
export function registerAnalysisJob(app: FastifyInstance, ctx: Context, analysers: Analysers): () => void {
  const wakeSignal = new WakeSignal();
  const holder = randomUUID();
  const cleaning = new JobLog(ctx.log, "the removal of old analyses");
  const measuring = new JobLog(ctx.log, "the measurement of the effect of recommendations");
  const daily = new JobLog(ctx.log, "the daily analyses of all services");
  const { leases } = ctx;
  const nextCheckMs = new Map<string, number>();
  whileListening(app, (stopped) =>
    Promise.all([
      resumeInterrupted(ctx, holder).then(() =>
        keepAnalysing(ctx, { analysers, holder, stopped }, wakeSignal),
      ),
      repeat(cleaning, cleanTiming, stopped, () =>
        leases.run("old-analyses", stopped, () =>
          timedJob(ctx.metrics, "old_analyses", () => removeOldAnalyses(ctx)),
        ),
      ),
      repeat(measuring, measureTiming, stopped, () =>
        leases.run("effects", stopped, (ended) =>
          timedJob(ctx.metrics, "effects", () => measureDue(ctx, ended)),
        ),
      ),
      ctx.config.organization.isAnalysedDaily &&
        repeat(daily, dailyTiming, stopped, () =>
          leases.run("daily-analyses", stopped, () =>
            timedJob(ctx.metrics, "daily_analyses", async () => {
              if ((await queueDaily(ctx, nextCheckMs)) > 0) wakeSignal.wake();
            }),
          ),
        ),
    ]),
  );
  return () => wakeSignal.wake();
}

/** With both built-in stores this process is the only one: an analysis in progress was interrupted when it last stopped. */
async function resumeInterrupted(ctx: Context, holder: string): Promise<void> {
  const isOnlyProcess = ctx.config.rows.kind === "sqlite" && ctx.config.columns.kind === "embedded";
  try {
    await requeueLost(ctx.rows, { holder, now: ctx.now(), isOnlyProcess });
  } catch (error) {
    ctx.log.warn(
      { err: error },
      "interrupted analyses not resumed yet; they will be when their leases expire",
    );
  }
}

/** How long the numbers of analyses and tokens per day are kept. */
const usageDays = 90;

/**
 * Removes analyses of profiles and ranges that are older than the retention of their organization, and findings that were last seen
 * before: their evidence is gone.
 * An analysis in progress loses its row, so that its result is dropped.
 */
export async function removeOldAnalyses({ rows, config, now }: Context): Promise<number> {
  const nowMs = now().getTime();
  const firstDay = (days: number) => `${utcDayOf(nowMs - days * dayMs)}T00:00:00.000Z`;
  let removed = 0n;
  for (const { orgId, days } of await readKeptDays(rows, config)) {
    const { numDeletedRows } = await rows
      .deleteFrom("analyses")
      .where("orgId", "=", orgId)
      .where("subjectTo", "<", firstDay(days))
      .executeTakeFirstOrThrow();
    removed += numDeletedRows;
    await rows
      .deleteFrom("findings")
      .where("orgId", "=", orgId)
      .where("lastSeenAt", "<", firstDay(days))
      .execute();
  }
  await acrossOrganizations(rows)
    .deleteFrom("analysisUsage")
    .where("day", "<", utcDayOf(nowMs - usageDays * dayMs))
    .execute();
  return Number(removed);
}
