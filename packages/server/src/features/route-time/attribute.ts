/**
 * Which stacks of profiles are of one route, and what they wait for. Pure.
 *
 * Go gives labels to the samples of CPU profiles, and to none of mutex and block profiles. The CPU samples of a route then show which
 * function only this route runs, and that function is in the stacks of its waits:
 *
 *     CPU, handler:/cart     http.serve  router.dispatch  shop.cart   json.Marshal
 *     CPU, handler:/orders   http.serve  router.dispatch  shop.order  json.Marshal
 *     block, no label        http.serve  router.dispatch  shop.cart   stock.Reserve  sync.(*Mutex).Lock
 */
import {
  type CallSite,
  callSites,
  functionKey,
  isStandardLibrary,
  packageOf,
  type StackTable,
} from "@flamekeep/profile";

/** The part of the route's time that has to be below the function. */
const coveredMin = 0.8;
/** The part of the function's time that has to be of the route: samples at the edges of a request may have no label. */
const ownMin = 0.95;
/** Functions that cover this part of the best one's stacks are as good. */
const equallyCovered = 0.99;

/**
 * The key of the outermost function outside of the standard library that nearly all stacks of the route have, and hardly any others.
 * Undefined if there is none.
 *
 * @param stacks the first column has the values of the route, the second the values of all
 */
export function ownFunction(stacks: StackTable): string | undefined {
  const [ofRoute, ofAll] = stacks.values;
  if (ofRoute === undefined || ofAll === undefined) return undefined;
  const keys = functionKeys(stacks);
  const sums = new Map<string, { route: number; all: number; depth: number }>();
  let total = 0;
  for (let stack = 0; stack < stacks.length; stack++) {
    const route = Number(ofRoute[stack]);
    const all = Number(ofAll[stack]);
    total += route;
    for (const [key, depth] of functionsOf(stacks, stack, keys)) {
      const sum = sums.get(key) ?? { route: 0, all: 0, depth: 0 };
      sum.route += route;
      sum.all += all;
      sum.depth += depth * route;
      sums.set(key, sum);
    }
  }
  const own = [...sums].filter(([, { route, all }]) => route >= coveredMin * total && route >= ownMin * all);
  const most = Math.max(...own.map(([, { route }]) => route));
  const best = own.filter(([, { route }]) => total > 0 && route >= equallyCovered * most);
  return best.toSorted(([, a], [, b]) => a.depth / a.route - b.depth / b.route)[0]?.[0];
}

/** The key of each frame's function; undefined in the runtime and the standard library. */
function functionKeys({ frames }: StackTable): (string | undefined)[] {
  return frames.functionName.map((name, frame) => {
    const path = packageOf(name);
    const isLibrary = isStandardLibrary(path) || path === "runtime" || path.startsWith("runtime/");
    return isLibrary ? undefined : functionKey(name, frames.file[frame]!, frames.startLine[frame]!);
  });
}

/** Each function of a stack once, with the distance of its outermost frame from the root. */
function functionsOf(
  { start, frame }: StackTable,
  stack: number,
  keys: readonly (string | undefined)[],
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const end = start[stack + 1]!;
  // Leaves come first, so the outermost frame of a function is written last.
  for (let at = start[stack]!; at < end; at++) {
    const key = keys[frame[at]!];
    if (key !== undefined) found.set(key, end - 1 - at);
  }
  return found;
}

/** Nanoseconds. */
export interface Waits {
  readonly lockNs: number;
  readonly otherNs: number;
}

const lockKinds: ReadonlySet<CallSite["kind"]> = new Set(["mutex", "rwmutex", "once", "runtime lock"]);

/**
 * The waits of the stacks with a function, or of all stacks, for locks and for everything else. The samples of a mutex profile are waits for
 * locks only.
 */
export function waitsOf(stacks: StackTable, type: "mutex" | "block", through?: string): Waits {
  const delays = through === undefined ? stacks.values[0]! : delaysThrough(stacks, through);
  const sites = callSites({ ...stacks, values: [delays] }, -1, 0);
  const waits = { lockNs: 0, otherNs: 0 };
  for (const { kind, delay } of sites) {
    if (type === "mutex" || lockKinds.has(kind)) waits.lockNs += delay;
    else waits.otherNs += delay;
  }
  return waits;
}

/** The first column, with 0 for stacks without the function. */
function delaysThrough(stacks: StackTable, through: string): Float64Array {
  const keys = functionKeys(stacks);
  return Float64Array.from({ length: stacks.length }, (_, stack) =>
    functionsOf(stacks, stack, keys).has(through) ? Number(stacks.values[0]![stack]) : 0,
  );
}
