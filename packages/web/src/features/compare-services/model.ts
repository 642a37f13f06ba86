// The sides of the comparison, their figures from the replies about them, and the functions that sides share by the difference of
// their costs.
import type {
  HttpAggregates,
  Project,
  ReplyOf,
  ServiceGauges,
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

/** A column: a service, a project that is a group of services, or all services of an organization. */
export interface Side {
  /** Distinct for all sides. */
  readonly key: string;
  readonly label: string;
  readonly kind: "service" | "project" | "organization";
  /** The name of a service, or the id of a project; empty for an organization. */
  readonly id: string;
  /** The id of the organization, where the address names it; else that of the session. It does not change while the page is open. */
  readonly organization: string | undefined;
  /** Whether its pages can be opened only after a switch of the organization. */
  readonly isElsewhere: boolean;
  /** Where the address has it. */
  readonly place: SidePlace;
  /** None until the project is read. */
  readonly services: readonly string[] | "all";
}

export interface SidePlace {
  readonly param: "service" | "project" | "other";
  readonly value: string;
}

/** A side whose address names its organization. */
export interface OtherPlace {
  readonly address: string;
  readonly organization: string;
  readonly organizationName: string;
  /** Whether the session is in it. */
  readonly isCurrent: boolean;
}

export function sideOfService(name: string, other?: OtherPlace): Side {
  return { ...placeOf("service", name, other), label: labelIn(name, other), services: [name] };
}

/** @param project undefined until read, null if there is none with the id */
export function sideOfProject(id: string, project: Project | null | undefined, other?: OtherPlace): Side {
  const label = project?.name ?? (project === null ? "Deleted project" : "Loading...");
  const named = project && project.services.length === 0 ? [project.name] : project?.services;
  return { ...placeOf("project", id, other), label: labelIn(label, other), services: named ?? [] };
}

export function sideOfOrganization(other: OtherPlace): Side {
  return {
    ...placeOf("organization", "", other),
    label: `All services of ${other.organizationName}`,
    services: "all",
  };
}

function placeOf(kind: Side["kind"], id: string, other: OtherPlace | undefined) {
  const place = (
    other === undefined ? { param: kind, value: id } : { param: "other", value: other.address }
  ) as SidePlace;
  const isElsewhere = other?.isCurrent === false;
  return {
    key: `${place.param} ${place.value}`,
    kind,
    id,
    organization: other?.organization,
    isElsewhere,
    place,
  };
}

function labelIn(name: string, other: OtherPlace | undefined): string {
  return other === undefined || other.isCurrent ? name : `${name} in ${other.organizationName}`;
}

/** Whether anything can be read about it: a project is one of services only once it is read. */
export function isKnown({ services }: Side): boolean {
  return services.length > 0;
}

function hasService({ services }: Side, name: string): boolean {
  return services === "all" || services.includes(name);
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

/** The replies about several services; undefined until read. */
export interface GroupReplies {
  readonly trends: readonly ServiceTrend[] | undefined;
  /** One for each service, or one with the sums of all. */
  readonly gauges: readonly Omit<ServiceGauges, "service">[] | undefined;
  readonly requests: HttpAggregates | undefined;
}

/** Sums over the services; latency and errors are of all requests. CPU per request is not known for several services. */
export function figuresOfGroup(
  side: Side,
  { trends, gauges, requests }: GroupReplies,
  rangeMs: number,
): Figures {
  const known = trends?.filter(({ name }) => hasService(side, name));
  const trend = known && sumOfTrends("", known);
  return {
    cores: known && (trend?.cpu.current ?? null),
    coresChange: cpuChange(trend),
    memory: gauges && sumOf(gauges.map(({ memory_bytes: bytes }) => bytes)),
    goroutines: gauges && sumOf(gauges.map(({ goroutines }) => goroutines)),
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

/** The functions of some sides. */
export interface SharedPart {
  /** Keys of the sides. */
  readonly sides: readonly string[];
  readonly reply: ReplyOf<typeof sharedFunctions>;
}

/**
 * Sides whose functions one call reads: those of an organization. All services of one are a separate call, whose reply counts only
 * the services with the largest costs.
 */
export function partsOf(sides: readonly Side[]): Side[][] {
  const parts = Map.groupBy(sides, ({ organization, services }) => `${organization} ${services === "all"}`);
  return [...parts.values()];
}

/** Whether a function of a reply may be one of a single side, so that functions beyond its limit may be shared. */
export function haveSingleFunctions(sides: readonly Side[]): boolean {
  return partsOf(sides).length > 1 || sides.some(({ kind }) => kind !== "service");
}

/** The cost of a function in a side. */
export interface SideCost {
  readonly cores: number;
  /** The service of the side with the largest cost. */
  readonly service: string;
  readonly side: Side;
}

export interface SharedCost {
  readonly found: SharedFunction;
  /** One for each side, in their order; null if none of its services has the function. */
  readonly costs: readonly (SideCost | null)[];
  /** Largest cost minus smallest one; a side without the function has none. */
  readonly difference: number;
  readonly largest: SideCost;
}

/** Functions that at least two sides have; the largest difference first, then the largest total. */
export function sharedCosts(parts: readonly SharedPart[], sides: readonly Side[]): SharedCost[] {
  const functionsOf = new Map(
    parts.flatMap(({ sides: keys, reply }) => {
      const functions = new Map(reply.functions.map((found) => [found.ref, found]));
      return keys.map((key) => [key, functions] as const);
    }),
  );
  const all = new Map([...functionsOf.values()].flatMap((functions) => [...functions]));
  return [...all.values()]
    .flatMap((found) => {
      const costs = sides.map((side) => costIn(side, functionsOf.get(side.key)?.get(found.ref)));
      const known = costs.filter((cost) => cost !== null).toSorted((a, b) => b.cores - a.cores);
      const [largest, second] = known;
      if (largest === undefined || second === undefined) return [];
      const smallest = known.length < sides.length ? 0 : known.at(-1)!.cores;
      return { found, costs, difference: largest.cores - smallest, largest };
    })
    .sort((a, b) => b.difference - a.difference || sumOfCosts(b) - sumOfCosts(a));
}

function sumOfCosts({ costs }: SharedCost): number {
  return costs.reduce((sum, cost) => sum + (cost?.cores ?? 0), 0);
}

/** ` among the 100 largest` if sides may share other functions too, for the lack of functions or of services in a reply. */
export function amongText(parts: readonly SharedPart[], sides: readonly Side[]): string {
  const replies = parts.map(({ reply }) => reply);
  const isCut = replies.some(({ functions, functions_total: all }) => functions.length < all);
  if (isCut && haveSingleFunctions(sides))
    return ` among the ${exactCount(Math.max(...replies.map(({ functions }) => functions.length)))} largest`;
  const partial = replies.find(({ services_counted: counted, services_total: all }) => counted < all);
  return partial === undefined
    ? ""
    : ` in the ${exactCount(partial.services_counted)} services with the most CPU`;
}

/** The services of a function are listed with the largest cost first. */
function costIn(side: Side, found: SharedFunction | undefined): SideCost | null {
  const own = found?.services.filter(({ name }) => hasService(side, name)) ?? [];
  const [first] = own;
  if (first === undefined) return null;
  // The services of a whole organization may be more than the list.
  const cores = side.services === "all" ? found!.total : own.reduce((sum, { total }) => sum + total, 0);
  return { cores, service: first.name, side };
}
