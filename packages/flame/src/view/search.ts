import { truncatedName } from "@flamekeep/profile";
import { type NameQuery, nameQuery, tooSlow } from "#match/name-query.ts";
import { type CallTree, type FunctionTable, isCut, type TreeValue } from "#tree/call-tree.ts";
import type { FunctionTotals } from "#tree/function-totals.ts";
import { WidthHeap } from "#tree/width-heap.ts";

export interface SearchResult {
  readonly query: string;
  /** Why there are no matches, or not all, as a sentence; else empty. */
  readonly error: string;
  /** 1 for each function that matches. */
  readonly matches: Uint8Array;
  readonly functionCount: number;
  readonly frameCount: number;
  /** Sums of the outermost matching frames by column: matches below a match are not counted again. */
  readonly values: readonly TreeValue[];
  /** Whether frames that are not in the tree may match, too: then `values` are the least. */
  readonly isLeast: boolean;
  /** 1 for each node that has a match at or below it. */
  readonly marks: Uint8Array;
}

/** The places of a function, as a search that finds it alone. */
export function searchFunction(tree: CallTree, fn: number): SearchResult {
  const matches = new Uint8Array(tree.functions.length);
  if (fn > 0) matches[fn] = 1;
  const places = finished(placeSteps(tree, matches));
  return { query: "", error: "", matches, functionCount: fn > 0 ? 1 : 0, ...inAll(tree, matches, places) };
}

/** The whole search at once. */
export function searchTree(tree: CallTree, query: string): SearchResult {
  return finished(searchSteps(tree, query));
}

/** All steps at once. */
function finished<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Finds functions by `nameQuery` in their names and packages. Looks at each
 * name once, then marks the nodes in passes that follow the order of the columns. Yields several times per millisecond, so that
 * drawing can continue in the next frame.
 */
export function* searchSteps(tree: CallTree, query: string): Generator<void, SearchResult> {
  const names = nameQuery(query);
  const matches = yield* matchFunctions(tree, names);
  const error = names.isExhausted() ? tooSlow : names.error;
  const functionCount = matches.reduce((sum, match) => sum + match, 0);
  const places =
    functionCount > 0
      ? yield* placeSteps(tree, matches)
      : { frameCount: 0, values: tree.columns.map(() => 0), marks: new Uint8Array(tree.length) };
  return { query, error, matches, functionCount, ...inAll(tree, matches, places) };
}

type Places = Pick<SearchResult, "frameCount" | "values" | "marks">;

/** The places of functions in all frames of the graph, where the tree has not all of them. Stacks through two of the functions are only known of frames in the tree. */
function inAll(tree: CallTree, matches: Uint8Array, places: Places): Places & Pick<SearchResult, "isLeast"> {
  if (!isCut(tree)) return { ...places, isLeast: false };
  const found = Array.from(matches.keys()).filter((fn) => matches[fn] === 1);
  const all = tree.columns.map(({ allFrames }) => allFrames);
  const [first] = all;
  if (first === undefined) return { ...places, isLeast: true };
  const frameCount = found.reduce((sum, fn) => sum + first.frames[fn], 0);
  if (found.length > 1) return { ...places, frameCount, isLeast: true };
  const values = all.map((sums) => (found.length === 0 ? 0 : (sums?.total[found[0]] ?? 0)));
  return { ...places, frameCount, values, isLeast: false };
}

/** Finds the nodes of functions. */
function* placeSteps(tree: CallTree, matches: Uint8Array): Generator<void, Places> {
  const marks = new Uint8Array(tree.length);
  const found = { frameCount: 0, values: tree.columns.map(() => 0) };
  for (let from = 1; from < tree.length; from += nodesPerStep) {
    markMatches(tree, matches, marks, found, from);
    yield;
  }
  for (let to = tree.length; to > 1; to -= nodesPerStep) {
    markAbove(tree, marks, to);
    yield;
  }
  return { ...found, marks };
}

const nodesPerStep = 32_768;
const namesPerStep = 2048;

/** Bits of a mark while it is made: a match at or below the node; a match at or above it. */
const hasMatch = 1;
const isCovered = 2;

/** One step of the pass from the root down. */
function markMatches(
  { columns, length, fn, parent }: CallTree,
  matches: Uint8Array,
  marks: Uint8Array,
  found: { frameCount: number; readonly values: number[] },
  from: number,
): void {
  const to = Math.min(length, from + nodesPerStep);
  const outermost: number[] = [];
  for (let node = from; node < to; node++) {
    const above = marks[parent[node]] & isCovered;
    if (matches[fn[node]] === 0) marks[node] = above;
    else {
      marks[node] = hasMatch | isCovered;
      found.frameCount++;
      if (above === 0) outermost.push(node);
    }
  }
  for (const [at, { total }] of columns.entries())
    for (const node of outermost) found.values[at] = found.values[at] + total[node];
}

/** One step of the pass back up, which leaves one bit of each mark. */
function markAbove({ parent }: CallTree, marks: Uint8Array, to: number): void {
  const from = Math.max(1, to - nodesPerStep);
  for (let node = to - 1; node >= from; node--) {
    const mark = marks[node] & hasMatch;
    marks[node] = mark;
    marks[parent[node]] = marks[parent[node]] | mark;
  }
}

/** True if a node from `from` on and before `to`, or one below them, matches. */
export function hasMatchIn({ marks }: SearchResult, from: number, to: number): boolean {
  return to - from === 1 ? marks[from] === hasMatch : marks.subarray(from, to).includes(hasMatch);
}

/** Matching nodes, widest first, each found when it is asked for. Visits only subtrees with matches. */
export function* matchesByWidth(tree: CallTree, result: SearchResult): Generator<number> {
  const candidates = new WidthHeap(tree.width);
  candidates.push(0);
  for (let node = candidates.pop(); node !== undefined; node = candidates.pop()) {
    if (node > 0 && result.matches[tree.fn[node]] === 1) yield node;
    const end = tree.firstChild[node + 1];
    for (let child = tree.firstChild[node]; child < end; child++) {
      if (hasMatchIn(result, child, child + 1)) candidates.push(child);
    }
  }
}

/** 1 for each function that a search for the text finds. */
export function functionsMatching(functions: FunctionTable, query: string): Uint8Array {
  return finished(matchFunctions({ functions }, nameQuery(query)));
}

/** Steps of reading names end after this much work on the expression, too. */
const workPerStep = 50_000;

function* matchFunctions(
  { functions }: Pick<CallTree, "functions">,
  query: NameQuery,
): Generator<void, Uint8Array> {
  const { name, packageName, storedNames, length } = functions;
  const matches = new Uint8Array(length);
  if (query.terms === 0 || query.error !== "") return matches;
  const packages = new Map<string, boolean>();
  let worked = 0;
  for (let fn = 1; fn < length; fn++) {
    const ofFn = packageName[fn];
    let isPackageMatch = packages.get(ofFn);
    if (isPackageMatch === undefined) {
      isPackageMatch = query.matches(ofFn);
      packages.set(ofFn, isPackageMatch);
    }
    if (isPackageMatch || query.matches(name[fn]) || storedNames?.[fn].some(query.matchesStored))
      matches[fn] = 1;
    if (fn % namesPerStep !== 0 && query.work() - worked < workPerStep) continue;
    if (query.isExhausted()) return matches;
    worked = query.work();
    yield;
  }
  return matches;
}

/**
 * The functions with the largest totals whose names have the text that somebody types, at most `limit`. None for a regular expression: each
 * key press would begin an expensive search.
 */
export function suggestedFunctions(
  { functions }: Pick<CallTree, "functions">,
  { frames, total }: FunctionTotals,
  query: string,
  limit: number,
): number[] {
  const { kind, matches, matchesStored } = nameQuery(query);
  const found: number[] = [];
  if (kind !== "text") return found;
  for (let fn = 1; fn < functions.length; fn++) {
    const name = functions.name[fn];
    const isWorse = found.length === limit && total[fn] <= total[found[limit - 1]];
    if (isWorse || frames[fn] === 0 || name === truncatedName) continue;
    if (!matches(name) && !functions.storedNames?.[fn].some(matchesStored)) continue;
    const place = found.findIndex((other) => total[other] < total[fn]);
    found.splice(place === -1 ? found.length : place, 0, fn);
    if (found.length > limit) found.pop();
  }
  return found;
}

/** How many copies of a generic or mangled function, by their stored names, are summed as one. 1 where it is no sum. */
export function copyCount({ storedNames }: Pick<FunctionTable, "storedNames">, fn: number): number {
  return Math.max(1, storedNames?.[fn]?.length ?? 0);
}

/**
 * The function whose value has more copies than the query names: `Less[go.shape.int]` finds `Less`, the sum of all its instantiations.
 *
 * @returns its id, -1 where there is none
 */
export function widerThanQuery(
  { storedNames }: Pick<FunctionTable, "storedNames">,
  { query, matches }: Pick<SearchResult, "query" | "matches">,
): number {
  if (storedNames === undefined) return -1;
  const { matchesStored } = nameQuery(query);
  return storedNames.findIndex(
    (names, fn) => matches[fn] === 1 && names.some(matchesStored) && !names.every(matchesStored),
  );
}
