import type {
  ContentionChart,
  CustomChart,
  Frame,
  GoroutineChart,
  ServiceGoroutines,
} from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { isGauge, packageOf, withoutShapes } from "@flamekeep/profile";
import type { ProfileRow } from "#store/profiles/profile-row.ts";
import type { ChartProfile } from "./latest-stacks.ts";
import type { ChartFrame, Contention, CustomValues, Goroutines } from "./tasks.ts";

/** For people: what each type of profile measures, and what its stacks show. */
const explanations = {
  goroutine:
    "A goroutine profile counts the goroutines at one moment. Each stack shows where its goroutines block or run, not for how long.",
  goroutine_dump:
    "A goroutine dump (debug=2) has the goroutines at one moment, with their states, what started them, and waits from one minute on. Each stack shows where its goroutines block or run.",
  mutex:
    "A mutex profile measures how long goroutines waited for locks. Each stack shows the code that held and released the lock, not the code that waited.",
  block:
    "A block profile measures how long goroutines waited for channels, locks, conditions and each other. Each stack shows the code that waited, idle workers included, not the code it waited for.",
  custom:
    "A custom profile counts items that the program adds and removes. Each stack shows the code that added the remaining items.",
} as const;

const withoutStates =
  "Some stacks lack the runtime functions that distinguish waiting from running: Go's text forms (debug=1 and debug=2) omit them, the binary form has them.";

export function toProfile(row: ProfileRow): GoroutineChart["profile"] {
  return {
    profile_id: row.profile_id,
    service: row.service,
    timestamp: row.started_at.toISOString(),
    tags: row.tags,
    duration_ms: Number(row.duration_ns) / 1e6,
  };
}

export function toSeries(profiles: readonly ChartProfile[]): ServiceGoroutines["series"] {
  return profiles.map((profile) => ({
    profile_id: profile.profileId,
    timestamp: profile.startedAt.toISOString(),
    tags: profile.tags,
    totals: Object.fromEntries(
      profile.sampleTypes.map((name, index) => [name, Number(profile.totals[index] ?? 0n)]),
    ),
  }));
}

export function toGoroutines(
  chart: Goroutines,
): Omit<ServiceGoroutines, "service" | "from" | "to" | "profiles_merged" | "series" | "aggregation"> {
  return {
    explanation: explanationOf(chart),
    total: chart.total,
    states: chart.states.map(({ state, count }) => ({ state, count, percent: percent(count, chart.total) })),
    groups: chart.groups.map((group) => ({
      state: group.state,
      count: group.count,
      percent: percent(group.count, chart.total),
      growth: group.growth ?? null,
      waiting_time_ms: group.waitMinutes === undefined ? null : group.waitMinutes * minuteMs,
      at: toFrame(group.at),
      entry: toFrame(group.entry),
      creator: group.creator ?? null,
      stack: group.stack.map(frame),
    })),
    groups_total: chart.groupCount,
  };
}

function explanationOf({ isRecorded, states }: Goroutines): string {
  if (isRecorded) return explanations.goroutine_dump;
  const isIncomplete = states.some(({ state }) => state === "not recorded");
  return isIncomplete ? `${explanations.goroutine} ${withoutStates}` : explanations.goroutine;
}

export function toContention(
  chart: Contention,
  type: "mutex" | "block",
): Omit<ContentionChart, "profile" | "covers"> {
  const functionOf = (isSide: boolean, site: ChartFrame | undefined) =>
    isSide && site !== undefined ? withoutShapes(site.functionName) : null;
  return {
    explanation: explanations[type],
    stack_side: type === "mutex" ? "holder" : "waiter",
    contentions: chart.contentions,
    total_delay_ms: chart.delay / 1e6,
    call_sites: chart.sites.map((site) => ({
      call_site: toFrame(site.frame),
      operation: site.operation,
      kind: site.kind,
      holder: functionOf(type === "mutex", site.frame),
      waiter: functionOf(type === "block", site.frame),
      contentions: site.contentions,
      total_delay_ms: site.delay / 1e6,
      mean_delay_ms: site.contentions > 0 ? site.delay / site.contentions / 1e6 : 0,
      percent: percent(site.delay, chart.delay),
      stack_count: site.stackCount,
      stack: site.stack.map(frame),
    })),
    call_sites_total: chart.siteCount,
  };
}

export function toCustom(chart: CustomValues): Omit<CustomChart, "profile"> {
  const names = chart.sampleTypes.map(({ type, unit }) => `${type}/${unit}`);
  const whole = chart.totals.at(-1) ?? 0;
  const toValues = (values: readonly number[]) =>
    Object.fromEntries(names.map((name, index) => [name, values[index] ?? 0]));
  return {
    explanation: explanations.custom,
    sample_types: chart.sampleTypes.map((sampleType, index) => ({
      ...sampleType,
      aggregation: isGauge(sampleType) ? "mean" : "sum",
      total: chart.totals[index] ?? 0,
    })),
    stacks: chart.stacks.map(({ values, at, stack }) => ({
      values: toValues(values),
      percent: percent(values.at(-1) ?? 0, whole),
      at: toFrame(at),
      stack: stack.map(frame),
    })),
    stacks_total: chart.stackCount,
    labels: chart.labels.map(({ key, value, totals }) => ({
      key,
      value,
      values: toValues(totals),
      percent: percent(totals.at(-1) ?? 0, whole),
    })),
    labels_total: chart.labelCount,
  };
}

function toFrame(given: ChartFrame | undefined): Frame | null {
  return given === undefined ? null : frame(given);
}

function frame({ functionName, file, line }: ChartFrame): Frame {
  return {
    function_name: withoutShapes(functionName),
    package_name: packageOf(functionName),
    file_name: file,
    line_number: Math.max(0, line),
  };
}

/** Two decimals; 0 where there is no total. */
function percent(part: number, whole: number): number {
  return whole > 0 ? Math.round((part / whole) * 10_000) / 100 : 0;
}
