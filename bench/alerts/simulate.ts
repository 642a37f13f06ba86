import { dayMs, minuteMs } from "@flamekeep/contract/durations";
import { windows } from "@flamekeep/server/alerts/detect/opening/first-days.ts";
import { Random } from "#random";
import { observe, trafficOf } from "./observed.ts";
import { type Deploy, planService, type ServicePlan } from "./service-plan.ts";
import { type Alert, watch } from "./watch.ts";

/** From this size on a regression must be found. */
const mustFind = 0.3;
/** Below what the detector promises to tell: neither a find nor a mistake. */
const promised = 0.2;

export interface Confusion {
  serviceMonths: number;
  /** Regressions of 30% and more, and those found within two windows of their deploy. */
  large: number;
  largeFound: number;
  /** Of 20 to 30%. */
  medium: number;
  mediumFound: number;
  /** Below 20%: alerts about them are right, and not asked for. */
  small: number;
  smallFound: number;
  harmless: number;
  /** Of traffic. */
  doublings: number;
  /** Alerts while nothing was worse. */
  falseAlerts: number;
  /** The same of services whose requests nobody counts, and which of them fall into a doubling of traffic. */
  uncountedServiceMonths: number;
  uncountedFalseAlerts: number;
  uncountedDoublings: number;
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
    doublings: 0,
    falseAlerts: 0,
    uncountedServiceMonths: 0,
    uncountedFalseAlerts: 0,
    uncountedDoublings: 0,
    trueAlerts: 0,
    rolledBack: 0,
    resolved: 0,
  };
  for (let service = 0; service < services; service++) {
    const random = new Random(seed * 100_003 + service);
    const plan = planService(random, days);
    const traffic = trafficOf(plan, random, days);
    table.doublings += plan.doublings.length;
    if (!plan.hasHttpMetrics) table.uncountedServiceMonths += days / 30;
    for (const { kind, observed } of observe(plan, traffic, random)) {
      const alerts = watch(observed, days * dayMs);
      const deploys = plan.deploys.filter((deploy) => deploy.kind === kind.name);
      for (const deploy of deploys) countDeploy(table, deploy, alerts, plan, days * dayMs);
      for (const alert of alerts) countAlert(table, alert, deploys, plan);
    }
  }
  return table;
}

/** Two windows of the length that counts for this service after a moment; hours in which it is silent do not count. */
function limitAfter(ms: number, { everyMs, gaps }: ServicePlan): number {
  const window = everyMs <= 2 * minuteMs ? windows[0] : everyMs <= 10 * minuteMs ? windows[1] : windows[2];
  let limit = ms + 2 * window.ms;
  for (const { fromMs, toMs } of gaps.toSorted((a, b) => a.fromMs - b.fromMs)) {
    if (toMs > ms && fromMs < limit) limit += toMs - Math.max(ms, fromMs);
  }
  return limit;
}

function countDeploy(
  table: Confusion,
  deploy: Deploy,
  alerts: readonly Alert[],
  plan: ServicePlan,
  endMs: number,
) {
  if (Math.abs(deploy.change) <= 0.05) {
    table.harmless++;
    return;
  }
  const found = alerts.find(({ atMs }) => atMs > deploy.atMs && atMs <= limitAfter(deploy.atMs, plan));
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
  if (found === undefined || limitAfter(deploy.untilMs, plan) > endMs) return;
  table.rolledBack++;
  const { resolvedMs = Infinity } = found;
  if (resolvedMs >= deploy.untilMs && resolvedMs <= limitAfter(deploy.untilMs, plan)) table.resolved++;
}

function countAlert(table: Confusion, { atMs }: Alert, deploys: readonly Deploy[], plan: ServicePlan): void {
  const isTrue = deploys.some((d) => d.change > 0.05 && atMs > d.atMs && atMs <= d.untilMs + 10 * minuteMs);
  if (isTrue) {
    table.trueAlerts++;
    return;
  }
  table.falseAlerts++;
  const isDoubling = plan.doublings.some(
    ({ fromMs, toMs }) => atMs > fromMs && atMs <= limitAfter(toMs, plan),
  );
  if (plan.hasHttpMetrics) return;
  table.uncountedFalseAlerts++;
  if (isDoubling) table.uncountedDoublings++;
}
