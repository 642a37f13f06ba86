import type { CallTree } from "#tree/call-tree.ts";
import { WidestFirst } from "#tree/widest-first.ts";

export interface SearchResult {
  readonly query: string;
  /** 1 for each function that matches. */
  readonly matches: Uint8Array;
  readonly functionCount: number;
  readonly frameCount: number;
  /** Sum of the outermost matching frames: what is under a match is not counted again. */
  readonly value: number;
  /** 1 for each node that has a match at or below it. */
  readonly marks: Uint8Array;
}

/**
 * Finds text in function and package names, upper and lower case alike; `/text/` is a regular expression where it is a valid one. Looks at each
 * name once, then marks the nodes in passes that follow the order of the columns.
 */
export function searchTree(tree: CallTree, query: string): SearchResult {
  const matches = matchFunctions(tree, query);
  const functionCount = matches.reduce((sum, match) => sum + match, 0);
  const marks = new Uint8Array(tree.length);
  if (functionCount === 0) return { query, matches, functionCount, frameCount: 0, value: 0, marks };
  const { frameCount, value } = markMatches(tree, matches, marks);
  const { parent } = tree;
  for (let node = tree.length - 1; node > 0; node--) {
    const mark = marks[node]! & hasMatch;
    marks[node] = mark;
    marks[parent[node]!] = marks[parent[node]!]! | mark;
  }
  return { query, matches, functionCount, frameCount, value, marks };
}

/** Bits of a mark while it is made: a match at or below the node; a match at or above it. */
const hasMatch = 1;
const isCovered = 2;

function markMatches({ length, fn, parent, total }: CallTree, matches: Uint8Array, marks: Uint8Array) {
  let frameCount = 0;
  let value = 0;
  for (let node = 1; node < length; node++) {
    const above = marks[parent[node]!]! & isCovered;
    if (matches[fn[node]!] === 0) marks[node] = above;
    else {
      marks[node] = hasMatch | isCovered;
      frameCount++;
      if (above === 0) value += total[node]!;
    }
  }
  return { frameCount, value };
}

/** True where a node of the range, or one below them, matches. */
export function hasMatchIn({ marks }: SearchResult, from: number, to: number): boolean {
  return to - from === 1 ? marks[from] === hasMatch : marks.subarray(from, to).includes(hasMatch);
}

/** Matching nodes, widest first, at most `limit`. Goes only where there is something to find. */
export function widestMatches(tree: CallTree, result: SearchResult, limit: number): number[] {
  const found: number[] = [];
  const candidates = new WidestFirst(tree.width);
  candidates.push(0);
  while (found.length < limit) {
    const node = candidates.pop();
    if (node === undefined) break;
    if (node > 0 && result.matches[tree.fn[node]!] === 1) found.push(node);
    const end = tree.firstChild[node + 1]!;
    for (let child = tree.firstChild[node]!; child < end; child++) {
      if (hasMatchIn(result, child, child + 1)) candidates.push(child);
    }
  }
  return found;
}

function matchFunctions(tree: CallTree, query: string): Uint8Array {
  const { name, packageName, length } = tree.functions;
  const matches = new Uint8Array(length);
  if (query === "") return matches;
  const isMatch = matcher(query);
  const packages = new Map<string, boolean>();
  for (let fn = 1; fn < length; fn++) {
    const ofFn = packageName[fn]!;
    let isPackageMatch = packages.get(ofFn);
    if (isPackageMatch === undefined) {
      isPackageMatch = isMatch(ofFn);
      packages.set(ofFn, isPackageMatch);
    }
    if (isPackageMatch || isMatch(name[fn]!)) matches[fn] = 1;
  }
  return matches;
}

function matcher(query: string): (text: string) => boolean {
  const expression = expressionOf(query);
  return (text) => expression.test(text);
}

function expressionOf(query: string): RegExp {
  if (query.length > 2 && query.startsWith("/") && query.endsWith("/")) {
    try {
      return new RegExp(query.slice(1, -1), "iu");
    } catch {
      // Half-typed expressions are searched for as they stand.
    }
  }
  // Faster than lower case of every name.
  return new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&"), "iu");
}
