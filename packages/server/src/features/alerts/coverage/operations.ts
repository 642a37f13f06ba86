import type * as calls from "@flamekeep/contract";
import type { AlertCoverage, CoveredSignal, ProfileType } from "@flamekeep/contract";
import { dayMs, hourMs } from "@flamekeep/contract/durations";
import { type Found, reportedRises } from "#alerts/detect/sensitivity.ts";
import {
  evidenceSampleType,
  evidenceType,
  httpCells,
  toHttpSeries,
} from "#alerts/detect/watched/http-signals.ts";
import type { Operation } from "#http/endpoint/serve.ts";
import {
  countMarked,
  getCoverage,
  type MarkedCounts,
  retentionMs,
  type Sent,
  StoredCoverage,
  type StoredSignal,
} from "./queries.ts";

const notJudgedYet =
  "Not evaluated yet, or not in the last 8 days. The first evaluation runs about 6 minutes after a service's first profile.";

/** Alerts that opened in so many days count for the rate of false alarms. */
const markedDays = 90;

/** The coverage of a service, as the process that judges it stored it. Has no signals if nothing is stored. */
export const getAlertCoverage: Operation<typeof calls.getAlertCoverage> = async (
  ctx,
  { orgId },
  { service },
) => {
  const before = (ms: number) => new Date(ctx.now().getTime() - ms);
  const [row, marked] = await Promise.all([
    getCoverage(ctx.rows, orgId, service, before(retentionMs)),
    countMarked(ctx.rows, orgId, service, before(markedDays * dayMs)),
  ]);
  const falseAlarms = { days: markedDays, ...marked, text: markedText(marked) };
  // Another version may have stored another format. The next evaluation replaces it.
  const coverage = row && StoredCoverage.safeParse(JSON.parse(row.coverage)).data;
  if (row === undefined || coverage === undefined) {
    return {
      service,
      judged_at: null,
      message: notJudgedYet,
      false_alarms: falseAlarms,
      signals: [],
      improvements: [],
    };
  }
  return {
    service,
    judged_at: row.judgedAt,
    message: null,
    false_alarms: falseAlarms,
    signals: presentSignals(coverage),
    improvements: improvementsOf(coverage),
  };
};

function markedText({ opened, expected }: MarkedCounts): string {
  if (opened === 0) return `No alert in ${markedDays} days.`;
  const alerts = opened === 1 ? "alert" : "alerts";
  const were = opened === 1 || expected === 1 ? "was" : "were";
  return `${expected} of ${opened} ${alerts} of this service in ${markedDays} days ${were} marked as expected.`;
}

function presentSignals({ signals, sent }: StoredCoverage): CoveredSignal[] {
  return [...signals.map(presentSignal), ...sent.notJudged.map(presentNotJudged)];
}

function presentSignal(signal: StoredSignal): CoveredSignal {
  const { type, sampleType, judgedBy, noise, smallest, withinHour, rises } = signal;
  const http = toHttpSeries(sampleType);
  return {
    type: type as ProfileType,
    sample_type: http === undefined ? sampleType : evidenceSampleType,
    ...(http === undefined ? {} : { signal: http.signal, route: http.route }),
    judged_by: judgedBy,
    reason: reasonOf(signal),
    noise: noise && { window_seconds: seconds(noise.windowMs), deviation: Math.expm1(noise.deviation) },
    smallest: presentFound(smallest),
    within_hour: presentFound(withinHour),
    rises: reportedRises.map((increase, index) => {
      const found = rises[index] ?? null;
      return { increase, within_seconds: found && seconds(found.withinMs) };
    }),
  };
}

function presentNotJudged({ type, sampleType }: Sent["notJudged"][number]): CoveredSignal {
  return {
    type: type as ProfileType,
    sample_type: sampleType,
    judged_by: "nothing",
    reason: {
      code: "not_judged",
      text:
        type === "custom"
          ? "Alerts watch custom values only if they are gauges in bytes or counts."
          : "Alerts do not watch this sample type.",
    },
    noise: null,
    smallest: null,
    within_hour: null,
    rises: reportedRises.map((increase) => ({ increase, within_seconds: null })),
  };
}

function presentFound(found: Found | null): CoveredSignal["smallest"] {
  return found && { increase: found.rise, within_seconds: seconds(found.withinMs) };
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}

function reasonOf({ reason, knownMs, sampleType, judgedBy }: StoredSignal): CoveredSignal["reason"] {
  if (reason === null) return null;
  const values = toHttpSeries(sampleType)
    ? `10-minute values with ${httpCells.requestsMin} requests`
    : "profiles";
  const texts: Record<typeof reason, string> = {
    few_days: `${daysText(knownMs)} of history. Flamekeep needs 5 days to learn the normal range; until then it reports only large increases.`,
    few_profiles:
      judgedBy === "nothing"
        ? `Not evaluated: alerts need at least 6 ${values} in 4 hours, and 6 before them.`
        : `Too few ${values} to learn the normal range. Only large increases are reported.`,
    no_profiles: `No ${values} for 8 hours.`,
    block_profiles:
      "No normal range for block profiles, because most of their time is parked goroutines. Only large increases are reported.",
  };
  return { code: reason, text: texts[reason] };
}

function daysText(ms: number): string {
  if (ms < dayMs) {
    const hours = Math.max(1, Math.round(ms / hourMs));
    return hours === 1 ? "1 hour" : `${hours} hours`;
  }
  const days = Math.floor(ms / dayMs);
  return days === 1 ? "1 day" : `${days} days`;
}

type Improvement = AlertCoverage["improvements"][number];

/** Advice for the sender, most useful first. */
function improvementsOf({ signals, sent }: StoredCoverage): Improvement[] {
  const found: Improvement[] = [];
  const hasCpu = signals.some(({ type, sampleType }) => type === evidenceType && !toHttpSeries(sampleType));
  if (!sent.hasRequests) {
    found.push({
      code: "http_metrics",
      text: "Send HTTP metrics. With request counts, alerts can tell heavier traffic from slower code immediately. Without them, that takes a day. Alerts then also watch the p95 and error rate of routes.",
    });
  } else if (!signals.some(({ sampleType }) => toHttpSeries(sampleType))) {
    found.push({
      code: "route_requests",
      text: `No route has ${httpCells.requestsMin} requests in 10 minutes, the minimum for alerts on its p95 and error rate.`,
    });
  }
  if (sent.hasRequests && !hasCpu) {
    found.push({
      code: "cpu_profiles",
      text: "Send CPU profiles. An alert about a slow route then leads to the functions that ran.",
    });
  }
  if (!sent.hasVersions) {
    found.push({
      code: "version_tag",
      text: "Add a version tag. Alerts then blame the release, not traffic, and compare canaries with the rest.",
    });
  }
  if (sent.instances === 0) {
    found.push({
      code: "instance_tag",
      text: "Add an instance tag. With 4 or more instances, alerts find the one that is worse than the rest.",
    });
  }
  return found;
}
