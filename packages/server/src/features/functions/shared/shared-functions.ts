import {
  type CostUnit,
  type GraphType,
  type InputOf,
  limits,
  profileTypeEntry,
  type sharedFunctions,
  storedTypeOf,
} from "@flamekeep/contract";
import { hourMs } from "@flamekeep/contract/durations";
import { functionKey, nanosecondsPer } from "@flamekeep/profile";
import type { Context } from "#context";
import { invalid } from "#failure";
import type { Operation } from "#http/endpoint/serve.ts";
import { pageOf } from "#http/query/page.ts";
import { isoRange, rangeOf, type TimeRange, toWholeMinutes } from "#http/query/time-range.ts";
import { taskFile } from "#stacks/pool.ts";
import { isAveraged } from "#stacks/ranges/merge-range.ts";
import type { StackColumn } from "#stacks/ranges/stored-stacks.ts";
import { withDefinitions } from "#stacks/ranges/with-definitions.ts";
import { RowBinaryReader } from "#store/column/client/row-binary.ts";
import { toValueType } from "#store/profiles/profile-row.ts";
import { servicesOfProject } from "#store/profiles/project-services.ts";
import { type ServiceSums, sumsOfServices } from "#store/profiles/service-sums.ts";
import type { FunctionCost } from "./costs.ts";
import { completeHoursState, recentStacks, rolledStacks, type StacksRange } from "./queries.ts";
import type * as tasks from "./tasks.ts";

const functionTasks = taskFile<typeof tasks>(new URL("./tasks.ts", import.meta.url));

/** The functions that services share, by their cost in all of them. */
export const getSharedFunctions: Operation<typeof sharedFunctions> = async (ctx, { orgId }, query) => {
  const scope = { orgId, type: query.type as ComparableType, ...toWholeMinutes(rangeOf(query, ctx.now())) };
  const all = await readServices(ctx, scope, await namedServices(ctx, orgId, query));
  const total = all.reduce((sum, { cost }) => sum + cost, 0);
  // A thousand services have too many stacks for one reply.
  const { page: services } = pageOf(all, ({ name, cost }) => ({ size: cost, name }), {
    limit: limits.countedServicesMax,
  });
  const reply = {
    ...isoRange(scope),
    unit: unitOf(scope.type),
    total,
    services_total: all.length,
    services_counted: services.length,
  };
  if (services.length === 0) return { ...reply, covered: 1, functions_total: 0, functions: [] };
  const stacks = await readStacks(ctx, scope, services);
  const filter = {
    scope: query.scope,
    q: query.q,
    servicesMin: query.services_min,
    limit: query.limit,
    servicesMax: query.services_limit,
  };
  const divisors = Float64Array.from(services, ({ divisor }) => divisor);
  const { count, functions } = await withDefinitions(
    ctx.columns,
    { ...scope, columns: [stacks.column] },
    (stored) =>
      ctx.decoders.run(functionTasks, "costsOfFunctions", {
        stored,
        service: stacks.service,
        divisors,
        filter,
      }),
  );
  return {
    ...reply,
    covered: total === 0 ? 1 : Math.min(1, costOf(stacks, divisors) / total),
    functions_total: count,
    functions: functions.map((each) => toSharedFunction(each, services)),
  };
};

type ComparableType = Exclude<GraphType, "custom">;

interface Scope extends TimeRange {
  readonly orgId: string;
  readonly type: ComparableType;
}

interface ServiceCost {
  readonly name: string;
  readonly sampleType: string;
  /** From a sum over profiles to a cost. */
  readonly divisor: number;
  readonly cost: number;
}

/** The services of a request and of its projects; none for all services. */
async function namedServices(
  ctx: Context,
  orgId: string,
  { service, project }: Pick<InputOf<typeof sharedFunctions>, "service" | "project">,
): Promise<string[]> {
  const [services, projects] = [distinct(service), distinct(project)];
  if (services.length > limits.functionServicesMax)
    throw invalid(
      `At most ${limits.functionServicesMax} services can be named: leave out some, or name none`,
    );
  if (projects.length > limits.functionProjectsMax)
    throw invalid(`At most ${limits.functionProjectsMax} projects can be named: leave out some`);
  const grouped = await Promise.all(projects.map((id) => servicesOfProject(ctx.rows, orgId, id)));
  return distinct([...services, ...grouped.flat()]).sort();
}

function distinct(texts: string | readonly string[] | undefined): string[] {
  return [...new Set([texts ?? []].flat())];
}

/** The services that have profiles, each with the first sample type that measures the type. */
async function readServices(ctx: Context, scope: Scope, named: string[]): Promise<ServiceCost[]> {
  const { orgId, type, fromMs, toMs } = scope;
  const range = { orgId, type, services: named, cuts: [fromMs / 1000, toMs / 1000], now: ctx.now() };
  return (await sumsOfServices(ctx.columns, range)).map((sums) => {
    const { service: name, sampleType } = sums;
    const divisor = divisorOf(sums, scope);
    return { name, sampleType, divisor, cost: sums.totals[0]! / divisor };
  });
}

/** Times are divided by the same unit of time, all else by seconds: of the profiles, or of the range if they have no duration. */
function divisorOf({ sampleType, profiles, durationsNs }: ServiceSums, { fromMs, toMs }: TimeRange): number {
  if (isAveraged(sampleType)) return Math.max(1, profiles[0]!);
  const ns = durationsNs[0]! > 0 ? durationsNs[0]! : (toMs - fromMs) * 1e6;
  return ns / Number(nanosecondsPer[toValueType(sampleType).unit] ?? nanosecondsPer.seconds);
}

function unitOf(type: ComparableType): CostUnit {
  const measure = profileTypeEntry(type).measuredBy[0]!;
  const { unit } = toValueType(measure);
  const isGauge = isAveraged(measure);
  if (unit === "nanoseconds") return type === "cpu" ? "cores" : "seconds_per_second";
  if (unit === "bytes") return isGauge ? "bytes" : "bytes_per_second";
  return isGauge ? "count" : "per_second";
}

interface ServiceStacks {
  readonly column: StackColumn;
  /** The service of each value. */
  readonly service: Uint32Array;
}

/** The most stacks of all services together in each of two reads: 1,000 of each service. */
const stacksMax = 1000 * limits.countedServicesMax;

async function readStacks(
  ctx: Context,
  scope: Scope,
  services: readonly ServiceCost[],
): Promise<ServiceStacks> {
  const { orgId, type, fromMs, toMs } = scope;
  const firstHourMs = Math.ceil(fromMs / hourMs) * hourMs;
  const endHourMs = Math.max(firstHourMs, Math.floor(toMs / hourMs) * hourMs);
  const params = {
    orgId,
    type: storedTypeOf(type),
    services: services.map(({ name }) => name),
    sampleTypes: services.map(({ sampleType }) => sampleType),
    firstHour: new Date(firstHourMs),
    endHour: new Date(endHourMs),
    stacksMax: Math.min(5000, Math.ceil(stacksMax / services.length)),
  };
  const range = { ...params, from: new Date(fromMs), to: new Date(toMs) };
  if (firstHourMs === endHourMs) {
    const recent = await ctx.columns.queryBytes(recentStacks, { ...range, state: "no whole hours" });
    return joined([recent], services);
  }
  return joined(await readParts(ctx, range), services);
}

/** Reads after which the parts are used, even if hours were rolled up during each. */
const readsMax = 4;

/**
 * The past hours and the rest, separate, so that the result for past hours stays cached while profiles arrive. An hour that is
 * rolled up between the two reads would be in none of them: then both are read again.
 */
async function readParts(ctx: Context, range: StacksRange): Promise<Buffer[]> {
  const whole = { ...range, from: range.firstHour, to: range.endHour };
  const stateOf = async () => JSON.stringify(await ctx.columns.query(completeHoursState, whole));
  let state = await stateOf();
  for (let reads = 1; ; reads++) {
    const parts = await Promise.all([
      ctx.columns.queryBytes(rolledStacks, { ...whole, state }),
      ctx.columns.queryBytes(recentStacks, { ...range, state }),
    ]);
    const after = await stateOf();
    if (after === state || reads === readsMax) return parts;
    state = after;
  }
}

function joined(parts: readonly Buffer[], services: readonly ServiceCost[]): ServiceStacks {
  const numberOf = new Map(services.map(({ name }, index) => [name, index]));
  const rows = parts.flatMap((bytes) => {
    const reader = new RowBinaryReader(bytes);
    const read: { service: number; ids: BigUint64Array; values: BigInt64Array }[] = [];
    while (!reader.isAtEnd)
      read.push({ service: numberOf.get(reader.text())!, ids: reader.uint64s(), values: reader.int64s() });
    return read;
  });
  const length = rows.reduce((sum, { ids }) => sum + ids.length, 0);
  const column = {
    sampleType: toValueType(services[0]!.sampleType),
    ids: new BigUint64Array(length),
    values: new BigInt64Array(length),
    divisor: 1,
  };
  const service = new Uint32Array(length);
  let at = 0;
  for (const row of rows) {
    column.ids.set(row.ids, at);
    column.values.set(row.values, at);
    service.fill(row.service, at, at + row.ids.length);
    at += row.ids.length;
  }
  return { column, service };
}

function costOf({ column, service }: ServiceStacks, divisors: Float64Array): number {
  return column.values.reduce((sum, value, at) => sum + Number(value) / divisors[service[at]!]!, 0);
}

function toSharedFunction(cost: FunctionCost, services: readonly ServiceCost[]) {
  return {
    name: cost.name,
    ref: functionKey(cost.name, cost.file, cost.startLine),
    file: cost.file,
    package: cost.package,
    category: cost.category,
    total: cost.total,
    self: cost.self,
    services_total: cost.serviceCount,
    services: cost.services.map(({ service, total }) => {
      const { name, cost: whole } = services[service]!;
      return { name, total, share: whole === 0 ? 0 : Math.min(1, total / whole) };
    }),
  };
}
