import { Random } from "./random.ts";
import { observe, trafficOf } from "./observed.ts";
import { dayMs, type Deploy, kinds, minuteMs, planService, type ServicePlan } from "./service-plan.ts";
import { type Alert, watch } from "./watch.ts";

/** From this size on a regression must be found. */
const mustFind = 0.3;
/** Below what the detector promises to tell: neither a find nor a mistake. */
const promised = 0.2;

export interface Confusion {
  readonly serviceMonths: number;
  /** Regressions of 30 % and more, and those found within two windows of their deploy. */
  large: number;
  largeFound: number;
  /** Of 20 to 30 %. */
  medium: number;
  mediumFound: number;
  /** Below 20 %: alerts about them are right, and not asked for. */
  small: number;
  smallFound: number;
  harmless: number;
  /** Alerts while nothing was worse, and which of them a doubling without HTTP metrics explains. */
  falseAlerts: number;
  falseInUncountedDoubling: number;
  trueAlerts: number;
  /** Found regressions that were rolled back in time to see it, and resolved within two windows. */
  rolledBack: number;
  resolved: number;
}

/** A fleet over the days, watched by the detector. The same seed gives the same table. */
export function simulate(seed: number, services: number, days: number): Confusion {
  const table: Confusion = {
    serviceMonths: (services * days) / 30,
    large: 0,
    largeFound: 0,
    medium: 0,
    mediumFound: 0,
    small: 0,
    smallFound: 0,
    harmless: 0,
    falseAlerts: 0,
    falseInUncountedDoubling: 0,
    trueAlerts: 0,
    rolledBack: 0,
    resolved: 0,
  };
  for (let service = 0; service < services; service++) {
    const random = new Random(seed * 100_003 + service);
    const plan = planService(random, days);
    const traffic = trafficOf(plan, random, days);
    for (const kind of kinds) {
      const alerts = watch(observe(plan, kind, traffic, random), days * dayMs);
      const deploys = plan.deploys.filter((deploy) => deploy.kind === kind.name);
      for (const deploy of deploys) countDeploy(table, deploy, alerts, plan, days * dayMs);
      for (const alert of alerts) countAlert(table, alert, deploys, plan);
    }
  }
  return table;
}

/** Two windows of the length that counts for this service, and the step in which it is looked at. */
function limitMs({ everyMs }: ServicePlan): number {
  return 2 * (everyMs <= 2 * minuteMs ? 30 : 120) * minuteMs + 5 * minuteMs;
}

function countDeploy(table: Confusion, deploy: Deploy, alerts: readonly Alert[], plan: ServicePlan, endMs: number) {
  if (Math.abs(deploy.change) <= 0.05) {
    table.harmless++;
    return;
  }
  const found = alerts.find(({ atMs }) => atMs > deploy.atMs && atMs <= deploy.atMs + limitMs(plan));
  const isFound = found === undefined ? 0 : 1;
  if (deploy.change >= mustFind) {
    table.large++;
    table.largeFound += isFound;
  } else if (deploy.change >= promised) {
    table.medium++;
    table.mediumFound += isFound;
  } else {
    table.small++;
    table.smallFound += isFound;
  }
  if (found === undefined || deploy.untilMs + limitMs(plan) > endMs) return;
  table.rolledBack++;
  const { resolvedMs = Infinity } = found;
  if (resolvedMs >= deploy.untilMs && resolvedMs <= deploy.untilMs + limitMs(plan)) table.resolved++;
}

function countAlert(table: Confusion, { atMs }: Alert, deploys: readonly Deploy[], plan: ServicePlan): void {
  const isTrue = deploys.some((d) => d.change > 0.05 && atMs > d.atMs && atMs <= d.untilMs + 10 * minuteMs);
  if (isTrue) {
    table.trueAlerts++;
    return;
  }
  table.falseAlerts++;
  const isDoubling = plan.doublings.some(({ fromMs, toMs }) => atMs > fromMs && atMs <= toMs + limitMs(plan));
  if (isDoubling && !plan.hasHttpMetrics) table.falseInUncountedDoubling++;
}
