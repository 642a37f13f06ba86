import type { ComparedTree } from "#compare/lay-out.ts";
import type { CallTree } from "#tree/call-tree.ts";

/**
 * Lines `frame;frame;frame value` of a subtree, root first, one for each node with a self value. Semicolons and line breaks in
 * names become underscores, since the format has no escape for them. A generator: the text of a large tree can be
 * a thousand times its size.
 */
export function foldedLines(tree: CallTree, root = 0): Generator<string> {
  const { self } = tree;
  return linesOf(tree, root, (node) => (self[node] === 0 ? "" : `${self[node]}`));
}

/** As `foldedLines`, with two values: the measured ones before and after. Tools that draw differences read this form. */
export function comparedLines(tree: ComparedTree, root = 0): Generator<string> {
  const before = tree.before.self;
  const after = tree.after.self;
  return linesOf(tree, root, (node) =>
    before[node] === 0 && after[node] === 0 ? "" : `${before[node]} ${after[node]}`,
  );
}

function* linesOf(tree: CallTree, root: number, textOf: (node: number) => string): Generator<string> {
  const { firstChild, fn, functions, parent } = tree;
  const name = (node: number) => functions.name[fn[node]].replace(/[;\r\n]/gu, "_");
  const path: string[] = [];
  let node = root;
  for (;;) {
    if (node !== 0) path.push(name(node));
    const value = textOf(node);
    if (value !== "" && path.length > 0) yield `${path.join(";")} ${value}\n`;
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
