import process from "node:process";
import { dayMs, hourMs } from "@flamekeep/contract/durations";
import { nextChange } from "@flamekeep/server/alerts/detect/next-change.ts";
import { NoiseCache } from "@flamekeep/server/alerts/detect/noise/noise-cache.ts";
import { cellMs, learntDays, stepMs } from "@flamekeep/server/alerts/detect/series/scales.ts";
import { cellSeries, indexAt, type Series, toSeries } from "@flamekeep/server/alerts/detect/series/series.ts";
import type { Observed, ObservedSeries } from "@flamekeep/server/alerts/detect/watched/observed.ts";
import { LearningBudget } from "@flamekeep/server/alerts/evaluate/learning-budget.ts";
import { Random } from "#random";
import { atMost, type Measurement } from "#result";
import { observe, trafficOf } from "./observed.ts";
import { planService } from "./service-plan.ts";

const services = 250;
const days = learntDays + 2;
const rounds = 24;
/** The server reads older profiles as cells. */
const recentMs = 12 * hourMs;
/** Every fifth service has so many instances. */
const instances = 20;

/**
 * CPU of the evaluation rounds of 1,000 series: of those after a start, in which noise is learnt, and of the later ones of two hours.
 * The column store reads the profiles; that is not counted here.
 */
export function measureJudging(): Measurement[] {
  const startMs = days * dayMs - rounds * stepMs;
  const watched = Array.from(
    { length: services },
    (_, service): Service => ({
      series: storedSeries(service, startMs),
      judgedToMs: startMs - stepMs,
    }),
  );
  const judged = Array.from({ length: rounds }, (_, round) => judgeRound(watched, startMs + round * stepMs));
  const learning = judged.findIndex(({ isComplete }) => isComplete) + 1;
  const later = judged.slice(learning).map(({ seconds }) => seconds);
  const count = watched.length * watched[0]!.series.length;
  return [
    { what: `${count} series: rounds after a start until all are judged`, value: learning, unit: "" },
    {
      what: "of these the longest",
      value: Math.max(...judged.slice(0, learning).map(({ seconds }) => seconds)),
      unit: "s of CPU",
      bar: atMost(2),
    },
    { what: "of the later rounds the longest", value: Math.max(...later), unit: "s of CPU", bar: atMost(2) },
    {
      what: "the mean of the later rounds",
      value: later.reduce((sum, each) => sum + each, 0) / later.length,
      unit: "s of CPU",
    },
  ];
}

interface Service {
  readonly series: readonly ObservedSeries[];
  judgedToMs: number;
}

/** As `evaluateOrganization` does it. */
function judgeRound(watched: readonly Service[], toMs: number): { seconds: number; isComplete: boolean } {
  const before = process.cpuUsage();
  const learning = new LearningBudget();
  let isComplete = true;
  for (const service of watched) {
    if (!learning.take(service.series)) {
      isComplete = false;
      continue;
    }
    for (const { observed } of service.series)
      nextChange(observed, { fromMs: service.judgedToMs, toMs }, undefined);
    service.judgedToMs = toMs;
  }
  const { user, system } = process.cpuUsage(before);
  return { seconds: (user + system) / 1e6, isComplete };
}

function storedSeries(service: number, startMs: number): ObservedSeries[] {
  const random = new Random(900_001 + service);
  const plan = planService(random, days);
  const all = observe(plan, trafficOf(plan, random, days), random);
  const stored = new Map<Series, Series>();
  const of = (series: Series) => {
    const found = stored.get(series) ?? asStored(series, startMs);
    stored.set(series, found);
    return found;
  };
  return all.map(({ kind, observed }) => ({
    service: `service-${service}`,
    type: kind.name,
    sampleType: "value",
    observed: {
      ...observed,
      values: of(observed.values),
      requests: of(observed.requests),
      siblings: observed.siblings.map(of),
      noise: new NoiseCache(JSON.stringify([`service-${service}`, kind.name, "value"])),
      instances: service % 5 === 0 ? instancesOf(observed.values, startMs, random) : [],
    },
  }));
}

/** Cells until the recent profiles begin. */
function asStored(series: Series, startMs: number): Series {
  const recentFromMs = startMs - recentMs;
  const recent: [number, number][] = [];
  for (let at = indexAt(series, recentFromMs); at < series.atMs.length; at++)
    recent.push([series.atMs[at]!, series.value[at]!]);
  return toSeries(recent, { history: cellsOf(series, startMs - learntDays * dayMs, recentFromMs) });
}

function cellsOf(series: Series, fromMs: number, toMs: number, factor = 1): Series {
  const cells: { at: number[]; count: number[]; sum: number[]; logSum: number[] } = {
    at: [],
    count: [],
    sum: [],
    logSum: [],
  };
  for (let at = fromMs; at < toMs; at += cellMs) {
    const [from, to] = [indexAt(series, at), indexAt(series, at + cellMs)];
    if (from === to) continue;
    const count = series.counts[to]! - series.counts[from]!;
    cells.at.push(at);
    cells.count.push(count);
    cells.sum.push(factor * (series.sums[to]! - series.sums[from]!));
    cells.logSum.push(series.logSums[to]! - series.logSums[from]! + count * Math.log(factor));
  }
  return cellSeries(cells);
}

function instancesOf(series: Series, startMs: number, random: Random): Observed["instances"] {
  return Array.from({ length: instances }, (_, instance) => ({
    name: `instance-${instance}`,
    version: "",
    values: cellsOf(series, startMs - recentMs, days * dayMs, Math.exp(0.05 * random.normal())),
  }));
}
