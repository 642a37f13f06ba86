import { type CallTree, functionTotals } from "@flamekeep/flame";

/** The widest functions and their calls in the language of Graphviz. Values are in the unit of the tree. */
export function dotText(tree: CallTree, names: readonly string[], nodesMax: number): string {
  const { self, total } = functionTotals(tree, 0);
  const shown = [...names.keys()]
    .filter((fn) => fn !== 0 && total[fn]! > 0)
    .sort((a, b) => total[b]! - total[a]!)
    .slice(0, nodesMax);
  if (shown.length === 0) return "";
  const nodes = new Set(shown);
  const calls = new Map<string, number>();
  for (let node = 1; node < tree.fn.length; node++) {
    const caller = tree.fn[tree.parent[node]!]!;
    const callee = tree.fn[node]!;
    if (!nodes.has(caller) || !nodes.has(callee)) continue;
    const key = `N${caller} -> N${callee}`;
    calls.set(key, (calls.get(key) ?? 0) + tree.columns[0]!.total[node]!);
  }
  const { unit } = tree.valueType;
  const lines = [
    "digraph {",
    "  node [shape=box fontsize=10]",
    ...shown.map(
      (fn) =>
        `  N${fn} [label=${quoted(`${names[fn]}\n${Math.round(self[fn]!)} of ${Math.round(total[fn]!)} ${unit}`)}]`,
    ),
    ...[...calls].map(([key, value]) => `  ${key} [label=${quoted(String(Math.round(value)))}]`),
    "}",
  ];
  return `${lines.join("\n")}\n`;
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}
