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
import { getCoverage, retentionMs, type Sent, StoredCoverage, type StoredSignal } from "./queries.ts";

const notJudgedYet =
  "Alerts have not judged this service yet, or not in the last eight days. They first judge a service about six minutes after its first profile.";

/** The coverage of a service, as the process that judges it stored it. Has no signals if nothing is stored. */
export const getAlertCoverage: Operation<typeof calls.getAlertCoverage> = async (
  ctx,
  { orgId },
  { service },
) => {
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
};

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
          : "Alerts do not judge this sample type.",
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
    ? `values of ten minutes with ${httpCells.requestsMin} requests`
    : "profiles";
  const texts: Record<typeof reason, string> = {
    few_days: `Known for ${daysText(knownMs)}. Its usual changes are learnt from the fifth day on; until then only larger rises are reported.`,
    few_profiles:
      judgedBy === "nothing"
        ? `Not judged: alerts need at least six ${values} in four hours, and six before them.`
        : `There are too few ${values} to learn its usual changes: only larger rises are reported.`,
    no_profiles: `No ${values} for eight hours.`,
    block_profiles:
      "The usual changes of block profiles are not learnt, because most of their time is parked goroutines: only larger rises are reported.",
  };
  return { code: reason, text: texts[reason] };
}

function daysText(ms: number): string {
  if (ms < dayMs) {
    const hours = Math.max(1, Math.round(ms / hourMs));
    return hours === 1 ? "an hour" : `${hours} hours`;
  }
  const days = Math.floor(ms / dayMs);
  return days === 1 ? "a day" : `${days} days`;
}

type Improvement = AlertCoverage["improvements"][number];

/** Advice for the sender, most useful first. */
function improvementsOf({ signals, sent }: StoredCoverage): Improvement[] {
  const found: Improvement[] = [];
  const hasCpu = signals.some(({ type, sampleType }) => type === evidenceType && !toHttpSeries(sampleType));
  if (!sent.hasRequests) {
    found.push({
      code: "http_metrics",
      text: "Send HTTP metrics. Alerts can then tell more traffic from slower code at once; without them, they treat a rise that all profile types share as traffic for a day. They also judge the p95 and the error rate of routes.",
    });
  } else if (!hasCpu) {
    found.push({
      code: "cpu_profiles",
      text: "Send CPU profiles. Alerts then judge the p95 and the error rate of routes: the profiles are the evidence of such alerts.",
    });
  } else if (!signals.some(({ sampleType }) => toHttpSeries(sampleType))) {
    found.push({
      code: "route_requests",
      text: `No route has ${httpCells.requestsMin} requests in ten minutes, the fewest from which alerts judge its p95 and error rate.`,
    });
  }
  if (!sent.hasVersions) {
    found.push({
      code: "version_tag",
      text: "Send the tag version. A release is then evidence: alerts do not treat a rise that begins with it as traffic, messages name it, and the instances of a canary are compared with the others.",
    });
  }
  if (sent.instances === 0) {
    found.push({
      code: "instance_tag",
      text: "Send the tag instance. Alerts then compare four or more instances, which finds one that is worse than the others.",
    });
  }
  return found;
}
