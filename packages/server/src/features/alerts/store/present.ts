import type { Alert, AlertSettings, ProfileType } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { quantity } from "#alert-terms";
import { channels } from "#alerts/channels/table.ts";
import { openTarget, presentTarget, storedTarget } from "#alerts/channels/targets.ts";
import { evidenceSampleType, httpSignals, toHttpSeries } from "#alerts/detect/watched/http-signals.ts";
import { measureOf } from "#alerts/detect/watched/measure.ts";
import { isMuted, type MuteScope } from "#alerts/mutes/queries.ts";
import { sampleTypeOfFunctions } from "#alerts/row/function-series.ts";
import { isSilence } from "#alerts/row/silent-series.ts";
import {
  type AlertRow,
  Circumstances,
  culpritOf,
  type GrownFunction,
  GrownFunctions,
  risenAlone,
  toEvidence,
} from "#alerts/row/stored-alert.ts";
import { toRuleOfAlert, unitOfSeries } from "#alerts/row/stored-rule.ts";
import { toValueType } from "#store/profiles/profile-row.ts";
import type { StoredTargets } from "#store/row/delivery-targets.ts";
import type { Seal } from "#store/row/seal.ts";

export function toAlert(row: AlertRow, mutes: readonly MuteScope[]): Alert {
  const profileType = row.type as ProfileType;
  const isOpen = row.resolvedAt === null;
  const { perHour, restartsEveryMs, scope } = toEvidence(row.reference);
  const functions = GrownFunctions.parse(JSON.parse(row.functions));
  const culprit = culpritOf(functions);
  return {
    id: row.id,
    incident_id: row.incidentId,
    profile_id: row.profileId,
    type: isOpen ? profileType : "resolved",
    profile_type: profileType,
    ...(ruleFields(row) ?? seriesFields(row)),
    service: row.service,
    timestamp: row.openedAt,
    began_at: row.beganAt,
    status: isOpen ? "open" : "resolved",
    resolved_at: row.resolvedAt,
    severity: row.severity ?? severityOf(row.increase),
    previous_value: row.previousValue,
    current_value: row.currentValue,
    increase: row.increase,
    percent_change: row.increase * 100,
    ...(restartsEveryMs === undefined ? {} : { restarts_every_seconds: restartsEveryMs / 1000 }),
    ...(scope === undefined ? instanceFields(row) : { instances: [...scope.instances] }),
    ...(scope?.version === undefined ? {} : { version: scope.version }),
    ...(culprit === undefined ? {} : { culprit: presentCulprit(culprit) }),
    ...presentCircumstances(row.circumstances),
    ...(perHour === undefined ? {} : { growth_per_hour: perHour }),
    functions: functions.map((grown) => ({
      name: grown.name,
      self_before: grown.selfBefore,
      self_after: grown.selfAfter,
      total_before: grown.totalBefore,
      total_after: grown.totalAfter,
      share: grown.share,
      total_share: grown.totalShare,
    })),
    previous_range: { from: row.baselineFrom, to: row.baselineTo },
    current_range: { from: row.currentFrom, to: row.currentTo },
    is_muted: isMuted(row, mutes),
    ...(row.unmutedAt === null ? {} : { unmuted_at: row.unmutedAt }),
  };
}

type RuleFields = Pick<Alert, "sample_type" | "signal" | "route" | "unit" | "rule">;

/** The fields of an alert that a rule has opened; undefined if the detector did. */
function ruleFields({ ruleId, rule, sampleType, type }: AlertRow): RuleFields | undefined {
  if (ruleId === null || rule === null) return undefined;
  const { signal, name, comparison, threshold, minutes, tags, route, ended } = toRuleOfAlert(rule);
  const values = {
    ...(signal === "profile" ? {} : { signal }),
    ...(route === undefined ? {} : { route }),
    unit: unitOfSeries({ signal, sampleType }),
  };
  const condition = `${comparison} ${quantity(threshold, { ...values, profile_type: type as ProfileType })}`;
  return {
    sample_type: signal === "profile" ? sampleType : evidenceSampleType,
    ...values,
    rule: {
      id: ruleId,
      name,
      condition,
      comparison,
      threshold,
      minutes,
      tags,
      ...(ended === undefined ? {} : { ended }),
    },
  };
}

function seriesFields(row: AlertRow): Pick<Alert, "sample_type" | "signal" | "route" | "unit"> {
  if (isSilence(row)) return { sample_type: row.sampleType, signal: "silence", unit: "uploads per hour" };
  const ofFunctions = sampleTypeOfFunctions(row.sampleType);
  if (ofFunctions !== undefined)
    return {
      sample_type: ofFunctions,
      signal: "function",
      unit: unitOf({ type: row.type, sampleType: ofFunctions }),
    };
  const http = toHttpSeries(row.sampleType);
  if (http === undefined) return { sample_type: row.sampleType, unit: unitOf(row) };
  const { signal, route } = http;
  return { sample_type: evidenceSampleType, signal, route, unit: httpSignals[signal].unit };
}

function presentCulprit({ name, file, line, ownShare, path }: GrownFunction): NonNullable<Alert["culprit"]> {
  return { name, file, line, share: ownShare, ...(path.length === 0 ? {} : { path }) };
}

/** Names the instance that alone makes the rise of the whole service. */
function instanceFields({ ruleId, sampleType, circumstances }: AlertRow): Partial<Alert> {
  if (circumstances === null || ruleId !== null) return {};
  // The parts of requests, of functions and of rules are numbers of profiles.
  if (toHttpSeries(sampleType) !== undefined || sampleTypeOfFunctions(sampleType) !== undefined) return {};
  const found = risenAlone(Circumstances.parse(JSON.parse(circumstances)).parts);
  return found === undefined ? {} : { instances: [found.name], instances_running: found.all };
}

/** Values are judged every five minutes: less is not worth a word. */
const beganErrorMinMs = 5 * minuteMs;

function presentCircumstances(text: string | null): Partial<Alert> {
  if (text === null) return {};
  const {
    hasRequests,
    release,
    highest,
    beganErrorMs,
    perHour,
    instancesRunning,
    resolvedBefore,
    run,
    range,
    serviceIncrease,
  } = Circumstances.parse(JSON.parse(text));
  return {
    ...(hasRequests === undefined ? {} : { has_requests: hasRequests }),
    ...(release === null ? {} : { release }),
    ...(beganErrorMs < beganErrorMinMs ? {} : { began_error_seconds: Math.round(beganErrorMs / 1000) }),
    ...(highest === null ? {} : { highest_before: highest }),
    ...(perHour === undefined ? {} : { growth_per_hour: perHour }),
    ...(instancesRunning === undefined ? {} : { instances_running: instancesRunning }),
    ...(range && { likely_increase: range }),
    ...(run && { run: { seconds: run.lastsMs / 1000, usual_seconds: run.usualMs / 1000 } }),
    ...(resolvedBefore === undefined ? {} : { resolved_before: resolvedBefore }),
    ...(serviceIncrease === undefined ? {} : { service_increase: serviceIncrease }),
  };
}

function unitOf({ type, sampleType }: Pick<AlertRow, "type" | "sampleType">): string {
  const { unit } = toValueType(sampleType);
  return measureOf(type, sampleType).kind === "rate" ? `${unit} per second` : unit;
}

/** The severity that every page and message shows, unless a rule has one. */
export function severityOf(increase: number): Alert["severity"] {
  if (increase >= 0.5) return "critical";
  return increase >= 0.2 ? "warning" : "info";
}

/** The reply of all channels together, with the reasons why stored secrets cannot be used. */
export function presentSettings(
  stored: StoredTargets,
  sealing: { readonly seal: Seal; readonly orgId: string },
): AlertSettings {
  const problems: string[] = [];
  const fields = Object.values(channels).map((channel) => {
    const opened = openTarget(stored, channel, sealing);
    if (!opened.ok) problems.push(opened.message);
    return presentTarget(channel, storedTarget(stored, channel), opened.ok ? opened.target : undefined);
  });
  const settings = Object.assign({}, ...fields) as Omit<AlertSettings, "problem">;
  return { ...settings, problem: problems.length === 0 ? null : problems.join(" ") };
}
