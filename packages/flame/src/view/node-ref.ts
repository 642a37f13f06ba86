import type { CallTree } from "#tree/call-tree.ts";

/** Where the nodes are: a tree or a comparison. */
type Places = Pick<CallTree, "firstChild" | "parent">;

/** Node id of the JSON flame graph: child positions on the way down, `root_0_3`. */
export function nodeIdOf(tree: Places, node: number): string {
  return ["root", ...positionsTo(tree, node)].join("_");
}

/**
 * The same way down, short enough for a link: positions in base 36, separated by dots, three or more zeros as `~count`.
 * The root is the empty text.
 */
export function nodeRefOf(tree: Places, node: number): string {
  const parts: string[] = [];
  let zeros = 0;
  const flush = () => {
    if (zeros >= 3) parts.push(`~${zeros.toString(36)}`);
    else for (; zeros > 0; zeros--) parts.push("0");
    zeros = 0;
  };
  for (const position of positionsTo(tree, node)) {
    if (position === 0) {
      zeros++;
      continue;
    }
    flush();
    parts.push(position.toString(36));
  }
  flush();
  return parts.join(".");
}

/** Node of a reference, or its deepest ancestor that exists in the tree. */
export function nodeAtRef(tree: Places, ref: string): number {
  let node = 0;
  if (ref === "") return node;
  for (const part of ref.split(".")) {
    const repeat = part.startsWith("~") ? Number.parseInt(part.slice(1), 36) : 1;
    const position = part.startsWith("~") ? 0 : Number.parseInt(part, 36);
    for (let step = 0; step < repeat; step++) {
      const child = tree.firstChild[node] + position;
      if (!(position >= 0) || child >= tree.firstChild[node + 1]) return node;
      node = child;
    }
  }
  return node;
}

/**
 * Node that another program names, by its id in JSON or by a reference; -1 if the tree has no such node. Ids have decimal positions,
 * references those in base 36.
 */
export function nodeNamed(tree: Places, name: string): number {
  const ref = name.startsWith("root") ? refOfId(name) : name;
  const node = nodeAtRef(tree, ref);
  return expanded(ref).length === positionsTo(tree, node).length ? node : -1;
}

function refOfId(id: string): string {
  const positions = id.split("_").slice(1);
  return positions.map((position) => Number(position).toString(36)).join(".");
}

/** True where the first reference is the second's node or one below it. */
export function isBelow(ref: string, above: string): boolean {
  const long = expanded(ref);
  const short = expanded(above);
  return short.length <= long.length && short.every((position, level) => position === long[level]);
}

/** Deeper than any tree. */
const levelsMax = 100_000;

/** Positions as texts, runs of zeros written out: the first `levelsMax`, because a reference comes from a link or a request. */
function expanded(ref: string): string[] {
  const positions: string[] = [];
  if (ref === "") return positions;
  for (const part of ref.split(".")) {
    const isRun = part.startsWith("~");
    const repeat = isRun ? Number.parseInt(part.slice(1), 36) : 1;
    const end = Math.min(levelsMax, positions.length + repeat);
    while (positions.length < end) positions.push(isRun ? "0" : part);
  }
  return positions;
}

function positionsTo(tree: Places, node: number): number[] {
  const positions: number[] = [];
  for (let at = node; at > 0; at = tree.parent[at]) positions.push(at - tree.firstChild[tree.parent[at]]);
  return positions.reverse();
}
