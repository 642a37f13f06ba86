import type { FunctionTable } from "./call-tree.ts";

interface Tree {
  readonly length: number;
  /** Parents come before their children. */
  readonly parent: Int32Array;
  readonly fn: Uint32Array;
}

/** The columns that distinguish functions, by id. */
type Functions = { readonly [K in "name" | "file"]: FunctionTable[K] } & {
  readonly startLine: ArrayLike<number>;
};

/** Whether a function comes before another one: by name, then by place, so that the order does not depend on that of the stacks. */
export function isFunctionBefore({ name, file, startLine }: Functions, a: number, b: number): boolean {
  if (name[a] !== name[b]) return name[a] < name[b];
  return file[a] === file[b] ? startLine[a] < startLine[b] : file[a] < file[b];
}

/** Breadth-first order of the nodes of a tree, siblings by width descending, then by function. */
export function breadthFirst({ length, parent, fn }: Tree, width: Float64Array, functions: Functions) {
  const childCount = new Uint32Array(length);
  for (let node = length - 1; node > 0; node--) {
    const above = parent[node];
    childCount[above]++;
  }
  const isBefore = (a: number, b: number) =>
    width[a] > width[b] || (width[a] === width[b] && isFunctionBefore(functions, fn[a], fn[b]));
  const { children, childStart } = childLists(parent, childCount, length);
  const order = new Uint32Array(length);
  for (let head = 0, tail = 1; head < tail; head++) {
    const from = childStart[order[head]];
    const to = childStart[order[head] + 1];
    if (to - from > 1) sortRange(children, from, to, isBefore);
    for (let at = from; at < to; at++) order[tail++] = children[at];
  }
  return { order, childCount };
}

/** Up to this length an insertion sort is faster. */
const shortList = 16;

export function sortRange(
  list: Uint32Array,
  from: number,
  to: number,
  isBefore: (a: number, b: number) => boolean,
): void {
  if (to - from > shortList) {
    list.subarray(from, to).sort((a, b) => (isBefore(a, b) ? -1 : 1));
    return;
  }
  for (let next = from + 1; next < to; next++) {
    const moving = list[next];
    let at = next;
    for (; at > from && isBefore(moving, list[at - 1]); at--) list[at] = list[at - 1];
    list[at] = moving;
  }
}

function childLists(parent: Int32Array, childCount: Uint32Array, length: number) {
  const childStart = new Uint32Array(length + 1);
  for (let node = 0; node < length; node++) childStart[node + 1] = childStart[node] + childCount[node];
  const cursor = childStart.slice();
  const children = new Uint32Array(Math.max(0, length - 1));
  for (let node = 1; node < length; node++) {
    const above = parent[node];
    children[cursor[above]] = node;
    cursor[above]++;
  }
  return { children, childStart };
}

/** Offsets of the children of each node in breadth-first order. @param childCount by node of the tree that `order` lists */
export function firstChildren(order: Uint32Array, childCount: Uint32Array): Uint32Array {
  const firstChild = new Uint32Array(order.length + 1);
  let next = Math.min(1, order.length);
  for (let node = 0; node < order.length; node++) {
    firstChild[node] = next;
    next += childCount[order[node]];
  }
  firstChild[order.length] = next;
  return firstChild;
}
