// The sides of the comparison, their figures from the replies about them, and the functions that sides share by the difference of
// their costs.
import type {
  HttpAggregates,
  Project,
  projectFigures,
  ReplyOf,
  ServiceTrend,
  SharedFunction,
  Summary,
  sharedFunctions,
  Timeline,
  TimelinePoint,
} from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import type { ChartUnit } from "#charts/model/units.ts";
import { exactCount } from "#format/number.ts";
import { type Figure, requestFigures, sumOf, sumOfTrends } from "#groups/figures.ts";
import { cpuChange } from "#profile-list/service-order.ts";

/** A column: a service, or a project that is a group of services. */
export interface Side {
  /** Distinct for all sides. */
  readonly key: string;
  readonly label: string;
  /** The id of a project; undefined for a service. */
  readonly project: string | undefined;
  /** One service, or those of the group. */
  readonly services: readonly string[];
}

export function sideOfService(name: string): Side {
  return { key: `service ${name}`, label: name, project: undefined, services: [name] };
}

/** @param project undefined until read, null if there is none with the id */
export function sideOfProject(id: string, project: Project | null | undefined): Side {
  const label = project?.name ?? (project === null ? "Deleted project" : "Loading...");
  const named = project && project.services.length === 0 ? [project.name] : project?.services;
  return { key: `project ${id}`, label, project: id, services: named ?? [] };
}

/** The replies about one service; undefined until read. */
export interface Replies {
  readonly trends: readonly ServiceTrend[] | undefined;
  readonly timeline: Timeline | undefined;
  readonly requests: HttpAggregates | undefined;
  readonly performance: Summary["performance_metrics"] | undefined;
}

export const figureRows = [
  { name: "cores", label: "CPU", unit: "cores" },
  { name: "memory", label: "Avg heap in use", unit: "bytes" },
  { name: "goroutines", label: "Goroutines", unit: "count" },
  { name: "cpuPerRequest", label: "CPU per request", unit: "seconds" },
  { name: "p95", label: "p95 latency", unit: "seconds" },
  { name: "errors", label: "Error rate", unit: "percent" },
  { name: "rate", label: "Requests", unit: "perSecond" },
] as const satisfies readonly {
  readonly name: string;
  readonly label: string;
  readonly unit: ChartUnit;
}[];

type FigureName = (typeof figureRows)[number]["name"];

export interface Figures extends Readonly<Record<FigureName, Figure>> {
  /** Relative change of the cores from the range before, a fraction, of the services with CPU in both. Undefined if there is none. */
  readonly coresChange: number | undefined;
}

/** Means over the range. */
export function figuresOf(service: string, replies: Replies, rangeMs: number): Figures {
  const { trends, timeline, requests, performance } = replies;
  const trend = trends?.find(({ name }) => name === service);
  return {
    cores: trends && (trend?.cpu.current ?? null),
    coresChange: cpuChange(trend),
    memory: performance && heapInUse(performance),
    goroutines: timeline && meanOf(timeline, "goroutine_count"),
    cpuPerRequest: performance && (performance.cpu?.seconds_per_request ?? null),
    ...requestFigures(requests),
    rate: requests && perSecond(requests, rangeMs),
  };
}

/** The replies about a group; undefined until read. */
export interface GroupReplies {
  readonly trends: readonly ServiceTrend[] | undefined;
  readonly gauges: ReplyOf<typeof projectFigures> | undefined;
  readonly requests: HttpAggregates | undefined;
}

/** Sums over the services; latency and errors are of all requests. CPU per request is not known for several services. */
export function figuresOfGroup(
  services: readonly string[],
  { trends, gauges, requests }: GroupReplies,
  rangeMs: number,
): Figures {
  const known = trends?.filter(({ name }) => services.includes(name));
  const trend = known && sumOfTrends("", known);
  return {
    cores: known && (trend?.cpu.current ?? null),
    coresChange: cpuChange(trend),
    memory: gauges && sumOf(gauges.services.map(({ memory_bytes: bytes }) => bytes)),
    goroutines: gauges && sumOf(gauges.services.map(({ goroutines }) => goroutines)),
    cpuPerRequest: null,
    ...requestFigures(requests),
    rate: requests && perSecond(requests, rangeMs),
  };
}

function perSecond({ count }: HttpAggregates, rangeMs: number): number | null {
  return count === 0 ? null : count / (rangeMs / 1000);
}

function meanOf({ data_points: points }: Timeline, field: keyof TimelinePoint): number | null {
  const values = points.map((point) => point[field]).filter((value) => typeof value === "number");
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Bytes. */
function heapInUse({ memory }: Summary["performance_metrics"]): number | null {
  const mb = memory?.avg_heap_in_use_mb ?? null;
  return mb === null ? null : mb * 2 ** 20;
}

const pointsOfRange = 60;

/** The width of a point of the timeline: whole minutes, at most 30 days. */
export function bucketOf(rangeMs: number): string {
  const minutes = Math.ceil(rangeMs / pointsOfRange / minuteMs);
  return `${Math.min(Math.max(minutes, 1), 30 * 24 * 60)}m`;
}

/** The cost of a function in a side. */
export interface SideCost {
  readonly cores: number;
  /** The service of the side with the largest cost. */
  readonly service: string;
}

export interface SharedCost {
  readonly found: SharedFunction;
  /** One for each side, in their order; null if none of its services has the function. */
  readonly costs: readonly (SideCost | null)[];
  /** Largest cost minus smallest one; a side without the function has none. */
  readonly difference: number;
  /** The service with the largest cost in the side with the largest cost. */
  readonly largest: string;
}

/** Functions that at least two sides have; the largest difference first. */
export function sharedCosts(functions: readonly SharedFunction[], sides: readonly Side[]): SharedCost[] {
  return functions
    .map((found) => {
      const costs = sides.map((side) => costIn(found, side));
      const sizes = costs.map((cost) => cost?.cores ?? 0);
      const most = Math.max(...sizes);
      const largest = costs[sizes.indexOf(most)]?.service ?? "";
      return { found, costs, difference: most - Math.min(...sizes), largest };
    })
    .filter(({ costs }) => costs.filter((cost) => cost !== null).length > 1)
    .sort((a, b) => b.difference - a.difference || b.found.total - a.found.total);
}

/** ` among the 100 largest` if sides may share other functions too: with a group as a side, those of a single side are in the reply. */
export function amongText(
  { functions, functions_total: all }: Pick<ReplyOf<typeof sharedFunctions>, "functions" | "functions_total">,
  sides: readonly Side[],
): string {
  const isCut = functions.length < all && sides.some(({ project }) => project !== undefined);
  return isCut ? ` among the ${exactCount(functions.length)} largest` : "";
}

/** The services of a function are listed with the largest cost first. */
function costIn({ services }: SharedFunction, side: Side): SideCost | null {
  const own = services.filter(({ name }) => side.services.includes(name));
  const [first] = own;
  if (first === undefined) return null;
  return { cores: own.reduce((sum, { total }) => sum + total, 0), service: first.name };
}
