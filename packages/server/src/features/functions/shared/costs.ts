import { categoryOf, frameFunctions, LibraryEntries, libraryOf, type StackTable } from "@flamekeep/profile";

/** Values of stacks in services, as parallel arrays. */
export interface ServiceStacks {
  /** The row of the stack in the table. */
  readonly stack: Uint32Array;
  readonly service: Uint32Array;
  readonly value: Float64Array;
}

export interface CostFilter {
  readonly scope: "libraries" | "all";
  /** Part of a name, in any case. */
  readonly q: string;
  readonly servicesMin: number;
  readonly limit: number;
  /** Services that are listed for each function. */
  readonly servicesMax: number;
}

export interface FunctionCost {
  readonly name: string;
  readonly file: string;
  readonly startLine: number;
  readonly package: string;
  readonly category: string;
  readonly total: number;
  readonly self: number;
  readonly serviceCount: number;
  readonly services: readonly { readonly service: number; readonly total: number }[];
}

export interface FunctionCosts {
  readonly count: number;
  readonly functions: readonly FunctionCost[];
}

/** The cost of functions over all services: largest total first, or largest self value if `scope` is `all`. */
export function functionCosts(
  stacks: StackTable,
  { stack, service, value }: ServiceStacks,
  filter: CostFilter,
): FunctionCosts {
  const functions = frameFunctions(stacks.frames);
  const costs = new Map<number, Cost>();
  const functionsOf = functionsOfStacks(stacks, functions.ofFrame, filter.scope);
  for (let at = 0; at < stack.length; at++) {
    // A heap profile keeps stacks whose memory was freed.
    if (value[at] === 0) continue;
    const row = stack[at]!;
    const leaf = functions.ofFrame[stacks.frame[stacks.start[row]!]!]!;
    for (const id of functionsOf(row)) {
      const cost = costs.get(id) ?? new Cost();
      costs.set(id, cost);
      cost.add(service[at]!, value[at]!, id === leaf);
    }
  }
  const text = filter.q.toLowerCase();
  const rank = filter.scope === "all" ? "self" : "total";
  const matching = [...costs]
    .filter(([id, { ofService }]) => {
      return ofService.size >= filter.servicesMin && functions.name[id]!.toLowerCase().includes(text);
    })
    .filter(([, cost]) => cost[rank] > 0)
    .sort(([a, one], [b, other]) => other[rank] - one[rank] || a - b);
  return {
    count: matching.length,
    functions: matching.slice(0, filter.limit).map(([id, cost]) => {
      const [name, file] = [functions.name[id]!, functions.file[id]!];
      const category = categoryOf(name, file);
      return {
        ...{ name, file, category, package: libraryOf(name, file), startLine: functions.startLine[id]! },
        ...{ total: cost.total, self: cost.self, serviceCount: cost.ofService.size },
        services: cost.largest(filter.servicesMax),
      };
    }),
  };
}

/** The distinct functions of each stack that count. Worked out once for each stack, which several services may have. */
function functionsOfStacks(
  stacks: StackTable,
  ofFrame: Uint32Array,
  scope: CostFilter["scope"],
): (stack: number) => Uint32Array {
  const entries = new LibraryEntries(stacks);
  const cached = new Map<number, Uint32Array>();
  const framesOf = (stack: number): Iterable<number> =>
    scope === "libraries"
      ? entries.of(stack)
      : stacks.frame.subarray(stacks.start[stack]!, stacks.start[stack + 1]!);
  return (stack) => {
    let ids = cached.get(stack);
    if (ids === undefined) {
      ids = Uint32Array.from(new Set(Array.from(framesOf(stack), (frame) => ofFrame[frame]!)));
      cached.set(stack, ids);
    }
    return ids;
  };
}

class Cost {
  total = 0;
  self = 0;
  readonly ofService = new Map<number, number>();

  add(service: number, value: number, isLeaf: boolean): void {
    this.total += value;
    if (isLeaf) this.self += value;
    this.ofService.set(service, (this.ofService.get(service) ?? 0) + value);
  }

  largest(count: number): FunctionCost["services"] {
    return [...this.ofService]
      .map(([service, total]) => ({ service, total }))
      .sort((a, b) => b.total - a.total || a.service - b.service)
      .slice(0, count);
  }
}
