import { fullNames } from "#text/function-names.ts";
import { type CallTree, elisionOf, pathTo } from "#tree/call-tree.ts";

/**
 * Lines `frame;frame;frame value` of a subtree, root first, one for each node with a self value. Semicolons and line breaks in
 * names become underscores, since the format has no escape for them. Frames that were left out below a node are one line more. A
 * comparison has the measured values of both sides, as tools that draw differences read them. A generator: the text of a large tree
 * can be a thousand times its size.
 *
 * @param top the first frame of each line: `root`, or one of its callers
 */
export function* foldedLines(tree: CallTree, root = 0, top = root): Generator<string> {
  const { columns } = tree;
  const valuesOf = (node: number) =>
    columns.every(({ self }) => self[node] === 0) ? "" : columns.map(({ self }) => self[node]).join(" ");
  const elidedText = (row: number) => columns.map(({ elided }) => elided[row]).join(" ");
  const { firstChild, fn, functions, parent } = tree;
  const names = fullNames(functions);
  const name = (node: number) => names[fn[node]].replace(/[;\r\n]/gu, "_");
  const path = pathTo(tree, root)
    .slice(0, -1)
    .filter((above) => above !== 0 && above >= top)
    .map(name);
  let node = root;
  for (;;) {
    if (node !== 0) path.push(name(node));
    const value = valuesOf(node);
    if (value !== "" && path.length > 0) yield `${path.join(";")} ${value}\n`;
    const row = elisionOf(tree, node);
    if (row !== -1) {
      const last = `${leftOutName(tree.elisions.count[row])} ${elidedText(row)}`;
      yield `${[...path, last].join(";")}\n`;
    }
    if (firstChild[node] < firstChild[node + 1]) {
      node = firstChild[node];
      continue;
    }
    for (;;) {
      path.pop();
      if (node === root) return;
      const above = parent[node];
      if (node + 1 < firstChild[above + 1]) break;
      node = above;
    }
    node++;
  }
}

/** `[1234 small frames left out]`: a frame of an export for the ones that the server left out. */
export function leftOutName(count: number): string {
  return count === 1 ? "[1 small frame left out]" : `[${count} small frames left out]`;
}
