import { heatColour } from "#colour/scheme.ts";
import { type CallTree, elisionOf, wholeOf } from "#tree/call-tree.ts";
import { fullNames } from "./function-names.ts";

/** Rounds a share in percent as the nodes of `flameJson` have it. */
type PercentOf = (part: number, whole: number) => number;

/**
 * The nodes of each function by its name, without their callees, as JSON: a reader finds all places of a function, and can rebuild the tree
 * from the ids. The root is the node of `root`, which has no other place.
 *
 * @param total that of the root, exact where a sum of doubles is not
 */
export function searchIndexText(tree: CallTree, total: number, percentOf: PercentOf): string {
  const { fn, functions } = tree;
  const ids = nodeIds(tree);
  const nodes: number[][] = functions.name.map(() => []);
  for (let node = 0; node < tree.length; node++) nodes[fn[node]].push(node);
  const byName = new Map<string, number[]>();
  for (const [id, name] of fullNames(functions).entries()) {
    const places = nodes[id];
    if (places.length > 0) byName.set(name, [...(byName.get(name) ?? []), ...places]);
  }
  const entries = Array.from(byName, ([name, places]) => {
    const texts = places.map((node) => JSON.stringify(fieldsOf(tree, node, ids[node], { total, percentOf })));
    return `${JSON.stringify(name)}:[${texts.join()}]`;
  });
  return `{${entries.join()}}`;
}

function nodeIds({ firstChild, length, parent }: CallTree): string[] {
  const ids = ["root"];
  for (let node = 1; node < length; node++) {
    const above = parent[node];
    ids.push(`${ids[above]}_${node - firstChild[above]}`);
  }
  return ids;
}

interface Facts {
  readonly total: number;
  readonly percentOf: PercentOf;
}

function fieldsOf(tree: CallTree, node: number, id: string, { total, percentOf }: Facts) {
  const { functions, self, width, x } = tree;
  const fn = tree.fn[node];
  const whole = wholeOf(tree);
  const totalPercent = percentOf(tree.total[node], whole);
  const elision = elisionOf(tree, node);
  return {
    function_name: functions.name[fn],
    package_name: functions.packageName[fn],
    file_name: functions.file[fn],
    start_line: functions.startLine[fn],
    line_number: tree.line[node] || functions.startLine[fn],
    self_value: self[node],
    total_value: node === 0 ? total : tree.total[node],
    self_percent: percentOf(self[node], whole),
    total_percent: totalPercent,
    sample_count: tree.samples[node],
    x: percentOf(x[node], width[0]),
    width: percentOf(width[node], width[0]),
    depth: id.split("_").length - 1,
    node_id: id,
    color: heatColour(totalPercent, "light"),
    ...(elision !== -1 && {
      elided_count: tree.elisions.count[elision],
      elided_value: tree.elisions.total[elision],
    }),
    children: [],
  };
}
