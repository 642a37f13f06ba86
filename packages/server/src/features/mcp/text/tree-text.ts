import type { FlameGraphNode } from "@flamekeep/contract";
import { functionKey } from "@flamekeep/profile";
import { printableName } from "./names.ts";
import { percentOf, quantityText } from "./quantity.ts";

interface TreeOptions {
  readonly unit: string;
  readonly total: number;
  readonly linesMax: number;
  /** Frames with a smaller share are left out. */
  readonly shareMin: number;
}

/** An indented call tree, the widest callees first. If there are too many frames, only the widest of the whole tree. */
export function treeText(root: FlameGraphNode, options: TreeOptions): string {
  const { total, shareMin } = options;
  const least = Math.max(total * shareMin, widthOfLast(root, options.linesMax));
  const lines: string[] = [];
  const print = (node: FlameGraphNode, depth: number): void => {
    lines.push(lineOf(node, depth, options));
    const wide = node.children.filter((child) => child.total_value >= least);
    for (const child of wide.toSorted((a, b) => b.total_value - a.total_value)) print(child, depth + 1);
  };
  print(root, 0);
  return lines.slice(0, options.linesMax).join("\n");
}

function lineOf(node: FlameGraphNode, depth: number, { unit, total }: TreeOptions): string {
  const { function_name: name, file_name: file, line_number: line, self_value: self } = node;
  const place = file === "" ? "" : ` (${printableName(file)}${line > 0 ? `:${line}` : ""})`;
  const own = self === 0 ? "" : `, self ${quantityText(self, unit)}`;
  const share = `${percentOf(node.total_value, total)} ${quantityText(node.total_value, unit)}`;
  return `${"  ".repeat(depth)}${share}${own}  ${printableName(name)}${place}`;
}

/** The total of the narrowest among the `count` widest nodes. */
function widthOfLast(root: FlameGraphNode, count: number): number {
  const widths: number[] = [];
  const visit = (node: FlameGraphNode): void => {
    widths.push(node.total_value);
    for (const child of node.children) visit(child);
  };
  visit(root);
  return widths.toSorted((a, b) => b - a)[count - 1] ?? 0;
}

/** All call trees below a function, merged into one. Undefined if the function does not occur. */
export function focusedOn(
  root: FlameGraphNode,
  isFocus: (name: string) => boolean,
): FlameGraphNode | undefined {
  const found: FlameGraphNode[] = [];
  const visit = (node: FlameGraphNode): void => {
    if (isFocus(node.function_name)) found.push(node);
    else for (const child of node.children) visit(child);
  };
  for (const child of root.children) visit(child);
  return found.length === 0 ? undefined : merged(found);
}

/** Nodes of one function as one node; their callees are merged by function. */
function merged(nodes: readonly FlameGraphNode[]): FlameGraphNode {
  const byFunction = Map.groupBy(
    nodes.flatMap(({ children }) => children),
    (node) => functionKey(node.function_name, node.file_name, node.start_line),
  );
  const sum = (value: (node: FlameGraphNode) => number) =>
    nodes.reduce((total, node) => total + value(node), 0);
  return {
    ...(nodes[0] as FlameGraphNode),
    self_value: sum((node) => node.self_value),
    total_value: sum((node) => node.total_value),
    children: [...byFunction.values()].map(merged),
  };
}
