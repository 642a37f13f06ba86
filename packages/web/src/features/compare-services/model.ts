// The figures of a service from its replies, and the functions that services share by the difference of their costs.
import type {
  HttpAggregates,
  ServiceTrend,
  SharedFunction,
  Summary,
  Timeline,
  TimelinePoint,
} from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import type { ChartUnit } from "#charts/model/units.ts";
import { cpuChange } from "#profile-list/service-order.ts";

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

/** Undefined until read; null where the range has no data. */
type Figure = number | null | undefined;

export interface Figures extends Readonly<Record<FigureName, Figure>> {
  /** Relative change of the cores from the range before, a fraction. Undefined if either has no data. */
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
    p95: requests?.p95_duration,
    errors: requests && (requests.error_rate === null ? null : requests.error_rate * 100),
    rate: requests && (requests.count === 0 ? null : requests.count / (rangeMs / 1000)),
  };
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

const ownFunctionsShown = 5;

/** Functions of the service's code, as ranked by the reply. */
export function ownFunctions(functions: readonly SharedFunction[]): SharedFunction[] {
  return functions.filter(({ category }) => category === "user_code").slice(0, ownFunctionsShown);
}

export interface SharedCost {
  readonly found: SharedFunction;
  /** One for each service, in their order; null if it does not have the function. */
  readonly costs: readonly (number | null)[];
  /** Largest cost minus smallest one; a service without the function has none. */
  readonly difference: number;
  /** The service with the largest cost. */
  readonly largest: string;
}

/** The largest difference first. */
export function sharedCosts(functions: readonly SharedFunction[], services: readonly string[]): SharedCost[] {
  return functions
    .map((found) => {
      const costs = services.map(
        (service) => found.services.find(({ name }) => name === service)?.total ?? null,
      );
      const sizes = costs.map((cost) => cost ?? 0);
      const most = Math.max(...sizes);
      const largest = services[sizes.indexOf(most)] ?? "";
      return { found, costs, difference: most - Math.min(...sizes), largest };
    })
    .sort((a, b) => b.difference - a.difference || b.found.total - a.found.total);
}
