import { type CallTree, elisionOf } from "../index.ts";

/** Picture of a tree for assertions: one node a line in depth-first order, indented, `name self/total`. */
export function drawTree(tree: CallTree): string {
  return drawWith(tree, (node) => {
    const elision = elisionOf(tree, node);
    const left = elision === -1 ? "" : ` +${tree.elisions.count[elision]} of ${tree.elisions.total[elision]}`;
    return `${tree.self[node]}/${tree.total[node]}${left}`;
  });
}

/** As `drawTree`, of a comparison: `name total before > total after`, and so on. */
export function drawComparison(tree: CallTree): string {
  return drawWith(tree, (node) => tree.columns.map(({ total }) => total[node]).join(" > "));
}

function drawWith(tree: CallTree, valuesOf: (node: number) => string): string {
  const lines: string[] = [];
  const open: [node: number, level: number][] = [[0, 0]];
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    const [node, level] = top;
    const name = tree.functions.name[tree.fn[node]!]!;
    lines.push(`${"  ".repeat(level)}${name} ${valuesOf(node)}`);
    for (let child = tree.firstChild[node + 1]! - 1; child >= tree.firstChild[node]!; child--)
      open.push([child, level + 1]);
  }
  return lines.join("\n");
}
