import { Random } from "#random";
import { atLeast, atMost, type Measurement } from "#result";
import type { FunctionRow } from "./rows.ts";
import { simulateService } from "./service.ts";
import { watchFunctions } from "./watch.ts";

/** The counts over all services and seeds of a row. */
export interface MeasuredFunctions {
  readonly row: FunctionRow;
  readonly falseAlerts: number;
  readonly serviceMonths: number;
  readonly found: number;
  readonly services: number;
  /** From the doubling to its alert, of each that was found in time. */
  readonly hours: readonly number[];
  /** The part of the hours in which the figures of at least one function had to be read by hour. */
  readonly closeLooks: number;
}

const hoursOfMonth = 30 * 24;

export function measureFunctions(
  row: FunctionRow,
  seeds: readonly number[],
  services = row.services,
): MeasuredFunctions {
  const all = seeds.flatMap((seed) =>
    Array.from({ length: services }, (_, service) => one(row, seed * 7_919 + service * 104_729 + 1)),
  );
  const sum = (of: (each: (typeof all)[number]) => number) =>
    all.reduce((whole, each) => whole + of(each), 0);
  const hours = all.flatMap(({ foundAfter }) => foundAfter ?? []);
  return {
    row,
    falseAlerts: sum(({ falseAlerts }) => falseAlerts),
    serviceMonths: sum((each) => each.hours) / hoursOfMonth,
    found: hours.length,
    services: all.length,
    hours,
    closeLooks: sum((each) => each.closeLooks) / sum((each) => each.hours),
  };
}

function one(row: FunctionRow, seed: number) {
  const random = new Random(seed);
  const story = row.make(random);
  const service = simulateService(story, random);
  const { alerts, closeLooks } = watchFunctions(service);
  const atHour = story.doubling?.atHour ?? Number.POSITIVE_INFINITY;
  const learnsHours = 24 * (row.learnsDays ?? 0);
  const isTrue = ({ hour, functions }: (typeof alerts)[number]) =>
    hour >= atHour && functions.some((id) => service.risen.has(id));
  const found = alerts.find(isTrue);
  const after = found && found.hour + 1 - atHour;
  return {
    hours: service.totals.length - learnsHours,
    falseAlerts: alerts.filter((alert) => alert.hour >= learnsHours && !isTrue(alert)).length,
    foundAfter: after !== undefined && after <= (row.withinHours ?? 0) ? after : undefined,
    closeLooks,
  };
}

/** The results of a row with what is wanted. */
export function outcomesOfFunctions({ row, ...measured }: MeasuredFunctions): readonly Measurement[] {
  const rate = measured.falseAlerts / measured.serviceMonths;
  const looks = { what: `${row.name}: hours with a close look`, value: 100 * measured.closeLooks, unit: "%" };
  if (row.kind === "quiet")
    return [{ what: row.name, value: rate, unit: "false", bar: atMost(row.bar) }, looks];
  const found = (12 * measured.found) / measured.services;
  const what = `${row.name}, within ${row.withinHours} h`;
  return [{ what, value: found, unit: "of 12", bar: atLeast(row.bar) }, looks];
}

export function toFunctionLine(measured: MeasuredFunctions): string {
  const { row, falseAlerts, serviceMonths, found, services, hours } = measured;
  const alarms = `false ${(falseAlerts / serviceMonths).toFixed(2)} (${falseAlerts} in ${serviceMonths.toFixed(0)})`;
  const name = row.name.padEnd(66);
  if (row.kind === "quiet") return `${name} ${alarms} | wanted at most ${row.bar}`;
  const latest = Math.max(0, ...hours);
  const half = hours.toSorted((a, b) => a - b)[Math.floor((hours.length - 1) / 2)] ?? Number.NaN;
  const rest = `wanted ${row.bar} of 12 within ${row.withinHours} h`;
  return `${name} found ${found} of ${services}, ${alarms}, after ${half} h, ${latest} at the latest | ${rest}`;
}
