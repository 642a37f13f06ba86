import type { Alert, Deploy, GraphType } from "@flamekeep/contract";
import { sinceOf } from "@flamekeep/contract/alert-text";
import { shortFunctionName } from "@flamekeep/flame/without-graph";
import type { ChartMarker } from "#charts/model/chart.ts";
import { measureText } from "#format/measure.ts";
import { profileTypeLabel } from "#format/names.ts";
import { isoText } from "#time-range/view-range.ts";
import { alertName } from "./model.ts";
import { alertChange } from "./values.ts";

export function deployMarker({ timestamp, tag, value, previous }: Deploy): ChartMarker {
  return {
    atMs: Date.parse(timestamp),
    kind: "deploy",
    label: `Deploy: ${tag} ${value}`,
    details: `Before: ${previous}`,
  };
}

/** As `deployMarker`, where several services have deploys. */
export function deployOfService(service: string, deploy: Deploy): ChartMarker {
  return { ...deployMarker(deploy), label: `Deploy of ${service}: ${deploy.tag} ${deploy.value}` };
}

interface DeployScope {
  readonly service: string;
  readonly type: GraphType;
  readonly sampleType?: string | undefined;
  readonly tags?: Readonly<Record<string, string>>;
  /** The end of the chart. */
  readonly endMs: number;
}

/**
 * Search of the comparison of the time after a deploy, up to the next one, with as long a time before it, back to the
 * deploy before. The deploys are in the order of their times.
 */
export function deployComparison(
  deploys: readonly Pick<Deploy, "timestamp">[],
  at: number,
  { service, type, sampleType, tags = {}, endMs }: DeployScope,
) {
  const timeOf = (index: number) => {
    const deploy = deploys[index];
    return deploy && Date.parse(deploy.timestamp);
  };
  const deployedMs = timeOf(at) ?? endMs;
  const afterMs = Math.min(timeOf(at + 1) ?? endMs, endMs);
  const beforeMs = Math.max(timeOf(at - 1) ?? 0, deployedMs - (afterMs - deployedMs));
  const isTagged = Object.keys(tags).length > 0;
  return {
    service,
    type,
    ...(sampleType !== undefined && { sample_type: sampleType }),
    before_from: isoText(beforeMs),
    before_to: isoText(deployedMs),
    after_from: isoText(deployedMs),
    after_to: isoText(afterMs),
    ...(isTagged && { before_tags: tags, after_tags: tags }),
  };
}

/** At the beginning of the rise, where that is known. */
export function alertMarker(alert: Alert): ChartMarker {
  return {
    atMs: Date.parse(sinceOf(alert)),
    kind: "alert",
    label: `Alert: ${alertText(alert)}`,
    details: `${beginningText(alert)}${alert.status === "open" ? "Open" : "Resolved"}`,
  };
}

/** As `alertMarker`, where several services have alerts. */
export function alertOfService(alert: Alert): ChartMarker {
  return { ...alertMarker(alert), label: `Alert of ${alert.service}: ${alertText(alert)}` };
}

function beginningText({ began_at, began_error_seconds: error, rule, signal }: Alert): string {
  if (began_at === null || rule || signal === "silence") return "";
  return error === undefined ? "The increase began here. " : "The increase began near here. ";
}

/** `CPU, CPU time +69.4%, most in main.hashPrices` */
function alertText(alert: Alert): string {
  const { profile_type: type, signal, functions, culprit } = alert;
  const name = signal === undefined ? `${profileTypeLabel(type)}, ${alertName(alert)}` : alertName(alert);
  const grown = signal === "function" ? undefined : (culprit ?? functions[0]);
  const most = grown && `, most in ${shortFunctionName(grown.name)}`;
  return `${name} ${alert.rule?.condition ?? measureText(alertChange(alert))}${most ?? ""}`;
}
