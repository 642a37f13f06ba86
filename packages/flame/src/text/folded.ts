import type { ComparedTree } from "#compare/lay-out.ts";
import { leftOutName } from "#export/exported-view.ts";
import { fullNames } from "#text/function-names.ts";
import { type CallTree, elisionOf, pathTo } from "#tree/call-tree.ts";

/**
 * Lines `frame;frame;frame value` of a subtree, root first, one for each node with a self value. Semicolons and line breaks in
 * names become underscores, since the format has no escape for them. Frames that were left out below a node are one line more. A
 * generator: the text of a large tree can be a thousand times its size.
 *
 * @param top the first frame of each line: `root`, or one of its callers
 */
export function foldedLines(tree: CallTree, root = 0, top = root): Generator<string> {
  const { self, elisions } = tree;
  const textOf = (node: number) => (self[node] === 0 ? "" : `${self[node]}`);
  return linesOf(tree, { root, top }, textOf, (row) => `${elisions.total[row]}`);
}

/** As `foldedLines`, with two values: the measured ones before and after. Tools that draw differences read this form. */
export function comparedLines(tree: ComparedTree, root = 0, top = root): Generator<string> {
  const before = tree.before.self;
  const after = tree.after.self;
  const textOf = (node: number) =>
    before[node] === 0 && after[node] === 0 ? "" : `${before[node]} ${after[node]}`;
  const { elisions } = tree;
  return linesOf(tree, { root, top }, textOf, (row) => `${elisions.before[row]} ${elisions.after[row]}`);
}

/** @param elidedText the value of a row of frames left out */
function* linesOf(
  tree: CallTree,
  { root, top }: { readonly root: number; readonly top: number },
  textOf: (node: number) => string,
  elidedText: (row: number) => string,
): Generator<string> {
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
    const value = textOf(node);
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
